export type { DumpedCheckpoint, ThreadDump } from "./dump.ts";
export type { ThreadLiteral } from "./literal.ts";
export { PageThreads, type PageThreadsOptions, type PlainState, type ThreadFile } from "./page-threads.ts";
export { expect, test, threadFixtures, type ThreadFixtures } from "./test.ts";
