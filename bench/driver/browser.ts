import type { Methods } from "../page/main.ts";
import type { PageLine } from "./page-line.ts";
import type { Server } from "./serve.ts";

export type EngineName = "chromium" | "firefox" | "webkit";

/** A page under measurement. */
export interface Tab extends AsyncDisposable {
  call<Name extends keyof Methods>(method: Name, ...args: Parameters<Methods[Name]>): Promise<Awaited<ReturnType<Methods[Name]>>>;
}

/** A browser with a profile on disk that is thrown away at the end. */
export interface Browser extends AsyncDisposable {
  readonly engine: EngineName;
  /** Name and version. */
  readonly title: string;
  /** A fresh page. An origin has one at a time. */
  open(server: Server): Promise<Tab>;
}

export const callsOf = (line: PageLine): Tab["call"] =>
  // The page answers with what the method returned, through JSON.
  (method, ...args) => line.call(method, args) as Promise<never>;
