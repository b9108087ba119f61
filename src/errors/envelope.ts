import * as classes from "./errors.ts";
import { CheckpointError, type Fault } from "./fault.ts";

/** An error as data, since structured clone keeps neither class nor fields. `code` is absent for errors that are not ours. */
export interface ErrorEnvelope {
  readonly code?: string;
  readonly name: string;
  readonly message: string;
  readonly stack?: string;
  readonly facts?: Readonly<Record<string, unknown>>;
  readonly cause?: ErrorEnvelope;
}

const MAX_CAUSES = 8;

export function toEnvelope(error: unknown, depth = 0): ErrorEnvelope {
  if (!(error instanceof Error) && !(typeof DOMException === "function" && error instanceof DOMException)) {
    return { name: "Error", message: String(error) };
  }
  return {
    name: error.name,
    message: error.message,
    ...(error.stack === undefined ? {} : { stack: error.stack }),
    ...(CheckpointError.is(error) ? { code: error.code, facts: error.facts } : {}),
    ...(error.cause === undefined || depth === MAX_CAUSES ? {} : { cause: toEnvelope(error.cause, depth + 1) }),
  };
}

const byCode = new Map<string, Fault<string, object>>(
  Object.values(classes).map((made) => [made.code, made as unknown as Fault<string, object>]),
);

export function fromEnvelope(envelope: ErrorEnvelope): Error {
  const options = envelope.cause === undefined ? {} : { cause: fromEnvelope(envelope.cause) };
  const Known = envelope.code === undefined ? undefined : byCode.get(envelope.code);
  const error = Known ? new Known(envelope.facts ?? {}, options) : new Error(envelope.message, options);
  if (!Known) error.name = envelope.name;
  if (envelope.stack !== undefined) error.stack = envelope.stack;
  return error;
}
