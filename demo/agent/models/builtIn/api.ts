/** The part of the Prompt API that is used here: https://webmachinelearning.github.io/prompt-api/ */
export interface Prompt {
  readonly role: "system" | "user" | "assistant";
  readonly content: string;
}

type Availability = "unavailable" | "downloadable" | "downloading" | "available";

interface Session {
  promptStreaming(prompt: string, options: { signal?: AbortSignal }): ReadableStream<string>;
  destroy(): void;
}

interface LanguageModel {
  availability(): Promise<Availability>;
  create(options: { initialPrompts: readonly Prompt[]; signal?: AbortSignal }): Promise<Session>;
}

const inBrowser = (): LanguageModel | undefined => (globalThis as { LanguageModel?: LanguageModel }).LanguageModel;

export const availability = async (): Promise<Availability> => (await inBrowser()?.availability()) ?? "unavailable";

export function createSession(options: { initialPrompts: readonly Prompt[]; signal?: AbortSignal }): Promise<Session> {
  const model = inBrowser();
  if (model === undefined) throw new BuiltInModelError("This browser has no language model of its own. Choose another one in the settings.");
  return model.create(options);
}

export class BuiltInModelError extends Error {
  override readonly name = "BuiltInModelError";
}
