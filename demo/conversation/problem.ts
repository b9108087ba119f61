import { CheckpointError } from "langgraph-checkpoint-indexeddb";

/** A failure as the reader sees it: what happened, and what can be done. */
export interface Problem {
  readonly title: string;
  readonly text: string;
  readonly remedy: "retry" | "settings" | "reload";
}

const NO_ROOM = {
  text: "The browser has no room left for this site. Delete threads you no longer need, then try again.",
  remedy: "retry",
} as const;

const STORAGE: Readonly<Record<string, Omit<Problem, "title">>> = {
  "quota-exceeded": NO_ROOM,
  "storage-unavailable": { text: "This browser gives the page no storage, as in some private windows. Allow it, then reload.", remedy: "reload" },
  "open-blocked": { text: "Another tab holds an older version of the database open. Close the other tabs, then reload.", remedy: "reload" },
  "unsupported-format": { text: "These threads were written by a newer version of this page. Reload to get it.", remedy: "reload" },
  "database-lost": { text: "The browser has deleted this site's storage. What was kept here is gone.", remedy: "reload" },
  "damaged-file": { text: "The file is damaged or cut short. Nothing was changed. Take another copy of it.", remedy: "retry" },
  "unsupported-file": { text: "This is not a file of threads, or one of a newer version of this page. Nothing was changed.", remedy: "retry" },
  "thread-changed": { text: "Somebody wrote to one of the threads meanwhile. Nothing was changed. Wait until no run is going on, then try again.", remedy: "retry" },
  damaged: { text: "A stored record of this thread is damaged and was not used.", remedy: "retry" },
};

/** What a code of the saver means here; its own sentence for those that hardly anybody meets. */
export const storageProblem = ({ code, message }: Pick<CheckpointError, "code" | "message">): Omit<Problem, "title"> => STORAGE[code] ?? { text: message, remedy: "retry" };

function messageOf(error: unknown): string {
  const message = typeof error === "object" && error !== null && "message" in error ? error.message : error;
  return typeof message === "string" && message !== "" ? message : "Something failed without saying why.";
}

const isModelError = (error: unknown): boolean =>
  typeof error === "object" && error !== null && "name" in error && (error.name === "EndpointError" || error.name === "BuiltInModelError");

function isQuotaError(error: unknown): boolean {
  if (typeof error !== "object" || error === null) return false;
  return ("name" in error && error.name === "QuotaExceededError") || ("inner" in error && isQuotaError(error.inner));
}

export function problemOf(error: unknown): Problem {
  if (CheckpointError.is(error)) return { title: "The thread could not be read or saved", ...storageProblem(error) };
  // From Dexie, which keeps the demo's own records.
  if (isQuotaError(error)) return { title: "The browser is full", ...NO_ROOM };
  if (isModelError(error)) return { title: "The model did not answer", text: messageOf(error), remedy: "settings" };
  return { title: "The run failed", text: messageOf(error), remedy: "retry" };
}

export const BUSY: Problem = {
  title: "The thread is busy",
  text: "Another tab is working on this thread. Wait until it is done, or stop it.",
  remedy: "retry",
};
