import { CheckpointError, InternalError, OpenFailedError, QuotaExceededError, StorageUnavailableError, TransactionFailedError } from "../errors/index.ts";

/** The typed error for what IndexedDB threw. Browsers share the names, never the texts, so only the name counts. */
export function classify(error: unknown): CheckpointError {
  if (CheckpointError.is(error)) return error;
  const name = nameOf(error instanceof HandleClosed ? error.cause : error);
  if (name === "QuotaExceededError") return new QuotaExceededError({}, { cause: error });
  // IndexedDB throws DOMExceptions: whatever else there is comes from here.
  if (error instanceof Error && !(error instanceof DOMException) && !(error instanceof HandleClosed)) {
    return new InternalError({ reason: error.message }, { cause: error });
  }
  return new TransactionFailedError({ reason: name }, { cause: error });
}

export function classifyOpening(error: unknown, database: string): CheckpointError {
  if (CheckpointError.is(error)) return error;
  const name = nameOf(error);
  if (name === "QuotaExceededError") return new QuotaExceededError({}, { cause: error });
  // In private windows some browsers have an IndexedDB that opens nothing.
  if (name === "InvalidStateError") return new StorageUnavailableError({ reason: "the browser keeps nothing for this page" }, { cause: error });
  if (name === "SecurityError" || name === "NotAllowedError") return new StorageUnavailableError({ reason: "this page may not use it" }, { cause: error });
  return new OpenFailedError({ database, reason: name }, { cause: error });
}

/** The handle was closed before any request was made on it: safe to open again and start over. */
export class HandleClosed extends Error {}

export function classifyBeginning(error: unknown): Error {
  return nameOf(error) === "InvalidStateError" ? new HandleClosed("closed", { cause: error }) : classify(error);
}

/** WebKit's "connection to IndexedDB server lost" and its like: nothing that is asked of the same handle later will succeed. */
export function isLost(error: unknown): boolean {
  return CheckpointError.is(error) && error.code === "transaction-failed" && nameOf(error.cause) === "UnknownError";
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : String(error);
}
