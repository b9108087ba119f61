import type { ServerResponse } from "node:http";
import type { Answer, Command } from "../page/remote.ts";

/** A page is told to ask again before the browser gives up waiting. */
const patienceMs = 20_000;
const loadMs = 60_000;
const callMs = 900_000;

/** The line to one page, which asks for commands and posts answers: one command at a time. */
export class PageLine {
  #listening: { readonly response: ServerResponse; readonly timer: NodeJS.Timeout } | undefined;
  #loaded: (() => void) | undefined;
  #asked: ((answer: Answer) => void) | undefined;
  #queued: Command | undefined;
  #failed: string | undefined;

  /** The page is there and asks for its next command. */
  listens(response: ServerResponse): void {
    const timer = setTimeout(() => this.#send({ wait: true }), patienceMs);
    this.#listening = { response, timer };
    this.#loaded?.();
    if (this.#queued !== undefined) this.#send(this.#queued);
  }

  answers(answer: Answer): void {
    if ("error" in answer) this.#failed ??= answer.error;
    this.#asked?.(answer);
  }

  async loaded(): Promise<void> {
    if (this.#listening !== undefined) return;
    await limited(new Promise<void>((resolve) => (this.#loaded = resolve)), loadMs, "the page did not load");
  }

  async call(method: string, args: readonly unknown[]): Promise<unknown> {
    if (this.#failed !== undefined) throw new Error(`in the page: ${this.#failed}`);
    const answered = new Promise<Answer>((settle) => (this.#asked = settle));
    this.#tell({ method, args });
    const answer = await limited(answered, callMs, `${method} took longer than ${callMs / 1000} s`);
    this.#asked = undefined;
    if ("error" in answer) throw new Error(`${method} in the page: ${answer.error}`);
    return answer.value;
  }

  /** Has the page go to another address; nothing more is heard of it. */
  goTo(address: string): void {
    this.#tell({ goTo: address });
  }

  #tell(command: Command): void {
    if (this.#listening === undefined) this.#queued = command;
    else this.#send(command);
  }

  #send(command: Command): void {
    const listening = this.#listening;
    if (listening === undefined) return;
    clearTimeout(listening.timer);
    this.#listening = undefined;
    if (command === this.#queued) this.#queued = undefined;
    listening.response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(command));
  }
}

async function limited<T>(promise: Promise<T>, ms: number, message: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => (timer = setTimeout(() => reject(new Error(message)), ms)));
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
