import { CheckpointError } from "../../src/index.ts";

/** The error a promise rejects with, which has to be the package's own. */
export async function errorOf(promise: Promise<unknown>): Promise<CheckpointError> {
  const error = await promise.then(
    () => new Error("it was expected to reject, and resolved"),
    (reason: unknown) => reason,
  );
  if (CheckpointError.is(error)) return error;
  throw error;
}

/** The code of the error a function throws, which has to be the package's own. */
export function codeOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (CheckpointError.is(error)) return error.code;
    throw error;
  }
  throw new Error("it was expected to throw, and did not");
}
