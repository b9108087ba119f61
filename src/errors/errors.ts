import { fault } from "./fault.ts";

/** A thread id, namespace, checkpoint id, task id or channel name that cannot be a key. */
export class InvalidIdError extends fault(
  "InvalidIdError",
  "invalid-id",
  ({ field, reason }: { field: string; reason: string }) =>
    `${field} ${reason}. Pass a string of well-formed Unicode: every other string is a valid id.`,
) {}

/** A call that lacks something it needs, or an option that makes no sense. */
export class InvalidConfigError extends fault(
  "InvalidConfigError",
  "invalid-config",
  ({ field, hint }: { field: string; hint: string }) => `"${field}" is missing or not usable. ${hint}`,
) {}

/** A thread that is not there. */
export class UnknownThreadError extends fault(
  "UnknownThreadError",
  "unknown-thread",
  ({ thread }: { thread: string }) => `There is no thread ${JSON.stringify(thread)}. It may have been deleted, here or in another tab.`,
) {}

/** A copy would go where something is already. Nothing was stored. */
export class ThreadExistsError extends fault(
  "ThreadExistsError",
  "thread-exists",
  ({ thread }: { thread: string }) => `There is a thread ${JSON.stringify(thread)} already. Copy to another id, or delete that thread first.`,
) {}

/** A value that would not come back as it is. Thrown before anything is stored. */
export class UnsupportedValueError extends fault(
  "UnsupportedValueError",
  "unsupported-value",
  ({ path, kind }: { path: string; kind: string }) =>
    `${path} is ${kind}, which cannot be stored. Store plain data instead, or register its class with the \`types\` option.`,
) {}

/** A stored value of a class that nothing here knows how to make. */
export class UnknownTypeError extends fault(
  "UnknownTypeError",
  "unknown-type",
  ({ type }: { type: string }) =>
    `A stored value is of the type "${type}", which is not registered. Pass the same \`types\` option as when it was written.`,
) {}

/** A value that was written with the `serde` option is read without it, or the reverse. */
export class SerializerMismatchError extends fault(
  "SerializerMismatchError",
  "serializer-mismatch",
  ({ written }: { written: "with serde" | "without serde" }) =>
    `A stored value was written ${written}, and this saver reads the other way. Make it with the same \`serde\` option as the saver that wrote it.`,
) {}

/** A value too large for the database: one element of a list, or a value that is no list. */
export class ValueTooLargeError extends fault(
  "ValueTooLargeError",
  "value-too-large",
  ({ channel, bytes, limit }: { channel: string; bytes: number; limit: number }) =>
    `One element of the channel "${channel}" takes ${bytes} bytes; the limit is ${limit}. Store large files elsewhere and keep a reference.`,
) {}

/** A row whose bytes are not those that were written. */
export class DamagedError extends fault(
  "DamagedError",
  "damaged",
  ({ store, key }: { store: string; key: string }) =>
    `The row ${key} of "${store}" is damaged. What it held is lost; other threads and checkpoints stay readable.`,
) {}

/** The database was written by a later release, or its format is not known. */
export class UnsupportedFormatError extends fault(
  "UnsupportedFormatError",
  "unsupported-format",
  ({ database }: { database: string }) =>
    `The database "${database}" has a newer format than this release reads. Nothing was touched: update the package and reload.`,
) {}

/** A database of that name exists and is not ours. */
export class ForeignDatabaseError extends fault(
  "ForeignDatabaseError",
  "foreign-database",
  ({ database }: { database: string }) =>
    `The database "${database}" belongs to something else. Nothing was touched: choose another \`name\`.`,
) {}

/** The database is encrypted, and no key was given. */
export class EncryptionRequiredError extends fault(
  "EncryptionRequiredError",
  "encryption-required",
  ({ database }: { database: string }) =>
    `The database "${database}" is encrypted. Pass its key with the \`encryption\` option.`,
) {}

/** The database is encrypted with another key. */
export class WrongKeyError extends fault(
  "WrongKeyError",
  "wrong-key",
  ({ database }: { database: string }) =>
    `The key does not open the database "${database}", or does no more: the passphrase is another, or the key was changed. Nothing was touched.`,
) {}

/** The browser has no WebCrypto. */
export class CryptoUnavailableError extends fault(
  "CryptoUnavailableError",
  "crypto-unavailable",
  (_: object) => "There is no WebCrypto here, so nothing can be encrypted: serve the page over HTTPS.",
) {}

/** A key was given for a database that holds rows that are not encrypted. */
export class NotEncryptedError extends fault(
  "NotEncryptedError",
  "not-encrypted",
  ({ database }: { database: string }) =>
    `The database "${database}" holds threads that are not encrypted. Encrypt it by \`reencrypt({ name, to: key })\` of langgraph-checkpoint-indexeddb/encryption first.`,
) {}

/** There is no IndexedDB here, or the browser does not let this page use it. */
export class StorageUnavailableError extends fault(
  "StorageUnavailableError",
  "storage-unavailable",
  ({ reason }: { reason: string }) =>
    `IndexedDB cannot be used here: ${reason}. On a server or in a blocked frame, use another checkpointer.`,
) {}

/** The browser could not open its own storage. */
export class OpenFailedError extends fault(
  "OpenFailedError",
  "open-failed",
  ({ database, reason }: { database: string; reason: string }) =>
    `The browser could not open the database "${database}" (${reason}). Free disk space, reload the page, or restart the browser.`,
) {}

/** Another tab holds an older version of the database open and does not let go. */
export class OpenBlockedError extends fault(
  "OpenBlockedError",
  "open-blocked",
  ({ database, limit }: { database: string; /** Milliseconds. */ limit: number }) =>
    `The database "${database}" is held open by another tab for more than ${limit} ms. Close or reload the other tabs, then try again.`,
) {}

/** An operation of the database that did not end within its limit. */
export class TimeoutError extends fault(
  "TimeoutError",
  "timeout",
  ({ operation, limit }: { operation: string; /** Milliseconds. */ limit: number }) =>
    `The database did not finish "${operation}" within ${limit} ms; nothing of it was stored. A frozen tab may hold a lock: close other tabs and try again.`,
) {}

/** The disk or the site's share of it is full. */
export class QuotaExceededError extends fault(
  "QuotaExceededError",
  "quota-exceeded",
  (_: object) => "There is no space left for this site; nothing of the step was stored. Delete threads or free disk space, then try again.",
) {}

/** A transaction that the browser aborted, for a reason that is not ours. */
export class TransactionFailedError extends fault(
  "TransactionFailedError",
  "transaction-failed",
  ({ reason }: { reason: string }) =>
    `The browser aborted a transaction (${reason}), also when it was tried again; nothing of it was stored. Repeat the call later, or reload the page.`,
) {}

/** The database was emptied or replaced while this page used it. */
export class DatabaseLostError extends fault(
  "DatabaseLostError",
  "database-lost",
  ({ database }: { database: string }) =>
    `The database "${database}" was deleted or replaced by the browser. Reload the page to start from what is there now.`,
) {}

/** The worker did not start. */
export class WorkerStartError extends fault(
  "WorkerStartError",
  "worker-start",
  ({ reason }: { reason: string }) =>
    `The storage worker did not start (${reason}). Check that its file is served from this origin and allowed by the content security policy, or pass \`worker: false\`.`,
) {}

/** The worker ended with calls unanswered. */
export class WorkerDiedError extends fault(
  "WorkerDiedError",
  "worker-died",
  ({ reason }: { reason: string }) =>
    `The storage worker ended (${reason}) before it answered; whether the call took effect is not known. Calls can safely be repeated.`,
) {}

/** The worker did not answer within the limit. */
export class WorkerTimeoutError extends fault(
  "WorkerTimeoutError",
  "worker-timeout",
  ({ limit }: { limit: number }) =>
    `The storage worker did not answer within ${limit} ms and was given up; whether the call took effect is not known. Calls can safely be repeated.`,
) {}

/** A step that a channel cannot take. */
export class InvalidUpdateError extends fault(
  "InvalidUpdateError",
  "invalid-update",
  ({ channel, reason }: { channel: string; reason: string }) =>
    `The channel "${channel}" ${reason}; nothing of the step was stored. Write to it in a step of its own.`,
) {}

/** A thread went on, by somebody else, from the checkpoint that a step was for. */
export class ConflictError extends fault(
  "ConflictError",
  "conflict",
  ({ thread, parent }: { thread: string; /** The checkpoint that the step was for. */ parent: string | undefined }) =>
    `The thread "${thread}" has gone on from ${parent === undefined ? "its beginning" : parent}; nothing was stored. ` +
    "Read the values again and repeat the step, or append with { stale: \"fork\" } to make a branch.",
) {}

/** A checkpoint that does not exist. */
export class UnknownCheckpointError extends fault(
  "UnknownCheckpointError",
  "unknown-checkpoint",
  ({ thread, checkpoint }: { thread: string; checkpoint: string }) =>
    `The thread "${thread}" has no checkpoint "${checkpoint}". It may have been deleted: read the history again.`,
) {}

/** A delta channel that is stored, but not defined here, so that its value cannot be rebuilt. */
export class UndefinedChannelError extends fault(
  "UndefinedChannelError",
  "undefined-channel",
  ({ channel }: { channel: string }) =>
    `The channel "${channel}" is not defined here, and what is stored of it needs its reducer. Add it to the \`channels\` option.`,
) {}

/** A reducer that gives something else when its writes come in other batches. */
export class NotBatchInvariantError extends fault(
  "NotBatchInvariantError",
  "not-batch-invariant",
  ({ batches }: { /** How many writes each batch had. */ batches: readonly number[] }) =>
    `The reducer gives another state for the writes in batches of ${batches.join(", ")} than for all at once. Replays would differ from what was live: change the reducer.`,
) {}

/** A state that a later release of the application wrote. */
export class NewerSchemaError extends fault(
  "NewerSchemaError",
  "newer-schema",
  ({ written, known }: { written: number; known: number }) =>
    `The state has the schema version ${written}, and this release of the application knows up to ${known}. Reload to get the new release.`,
) {}

/** A saver that failed while a thread was transferred. */
export class TransferFailedError extends fault(
  "TransferFailedError",
  "transfer-failed",
  ({ end, operation, thread, checkpoint }: { end: "from" | "to"; operation: string; thread: string; checkpoint?: string }) =>
    `The saver \`${end}\` failed in \`${operation}\`, at ${checkpoint === undefined ? "" : `the checkpoint "${checkpoint}" of `}the thread "${thread}". ` +
    "What was transferred before that is whole: see the cause, and transfer again to go on.",
) {}

/** A delta channel that the other side would rebuild otherwise, so that its value has to be carried whole, by a reducer that is not known here. */
export class ReducerNeededError extends fault(
  "ReducerNeededError",
  "reducer-needed",
  ({ channel, namespace, checkpoint }: { channel: string; namespace: string; checkpoint: string }) =>
    `The other side would rebuild another value of the channel "${channel}" at the checkpoint "${checkpoint}"${namespace === "" ? "" : ` of the subgraph "${namespace}"`}, so it has to be carried whole. ` +
    "Transfer again with the option `channels`, for example `{ channels: graph.channels }`, which has its reducer.",
) {}

/** The browser has no Web Locks. */
export class LocksUnavailableError extends fault(
  "LocksUnavailableError",
  "locks-unavailable",
  (_: object) => "There are no Web Locks here: serve the page over HTTPS, or see to it yourself that runs of a thread do not overlap.",
) {}

/** A file whose bytes are not those that were exported, or not all of them. */
export class DamagedFileError extends fault(
  "DamagedFileError",
  "damaged-file",
  ({ at, reason }: { /** Up to this byte the file is in order. */ at: number; reason: string }) =>
    `The file is damaged after byte ${at}: ${reason}. Nothing of it was stored: take another copy of it.`,
) {}

/** A file of a later format, or of something else. */
export class UnsupportedFileError extends fault(
  "UnsupportedFileError",
  "unsupported-file",
  ({ reason }: { reason: string }) =>
    `The file cannot be read: ${reason}. Nothing of it was stored: choose another file, or update the package.`,
) {}

/** A thread was deleted or pruned while it was exported, or written to while a file was merged into it. */
export class ThreadChangedError extends fault(
  "ThreadChangedError",
  "thread-changed",
  ({ thread }: { thread: string }) =>
    `The thread "${thread}" was changed meanwhile by somebody else; nothing was stored. Repeat the call.`,
) {}

/** The saver was closed. */
export class ClosedError extends fault(
  "ClosedError",
  "closed",
  (_: object) => "This saver is closed. Make a new one to go on.",
) {}

/** Something that should not happen: a fault of this package. */
export class InternalError extends fault(
  "InternalError",
  "internal",
  ({ reason }: { reason: string }) => `Unexpected failure in langgraph-checkpoint-indexeddb: ${reason}. Please report it.`,
) {}
