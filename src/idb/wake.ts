/**
 * Lets the browser get at the origin's storage while something else, a worker say, is starting: at the first question
 * Chromium reads its log, which can take longer than the start. Who opens a database is told what is wrong with it.
 */
export function wakeStorage(): void {
  try {
    indexedDB.databases().catch(() => undefined);
  } catch {
    // There is none, or this page may not touch it.
  }
}
