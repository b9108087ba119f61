import fc from "fast-check";
import { ConflictError, IndexedDBSaver } from "../../src/index.ts";
import { delta, type Message, messagesReducer, type Thread } from "../../src/threads/index.ts";
import { at, checkpointId, listed, put } from "../../test/support/checkpoints.ts";
import { difference } from "../../test/support/difference.ts";
import { RecordedThread, step } from "../../test/support/recorded-thread.ts";
import { say, toldToGo } from "./voice.ts";

interface Size {
  readonly tabs: number;
  /** Of each tab. */
  readonly steps: number;
}

const channels = { messages: delta(messagesReducer) };
type Together = Thread<typeof channels>;

/** A branch of each tab grows from one checkpoint, with versions that repeat on the others, and ids that take turns. */
const branches = "branches";
const idOf = (tab: number, n: number): number => (n === 0 ? 0 : n * 100 + tab);
const listOf = (tab: number, n: number): string[] => ["root", ...Array.from({ length: n }, (_, index) => `tab ${tab}, step ${index + 1}`)];

/** To one list of messages all tabs append: by turns under its lock, and at the risk of a conflict. */
const together = "together";
const every = 10;
const messageOf = (tab: number, n: number): Message => ({ id: `${tab}-${n}`, role: "user", content: `of tab ${tab}, step ${n}` });

const open = (): IndexedDBSaver => new IndexedDBSaver({ name: "shared", worker: () => new Worker("/host.js", { type: "module" }), channels });

/** One of several pages that write at once: to a thread of its own and to two of all. When all are done each looks at what is there. */
export async function share(page: string, { tabs, steps }: Size): Promise<void> {
  const tab = Number(page);
  const own = new RecordedThread(`own ${tab}`, tab % 2 === 0);
  const saver = open();
  await putOnBranch(saver, tab, 0);
  await say("found", 0);
  await toldToGo();

  const shared = saver.threads.thread(together) as Together;
  for (const [index, each] of fc.sample(step, { seed: tab + 1, numRuns: steps }).entries()) {
    const n = index + 1;
    await Promise.all([own.put(saver, each), putOnBranch(saver, tab, n)]);
    if (n % every === 0) await append(shared, messageOf(tab, n), n % (2 * every) === 0 ? "under its lock" : "at risk");
    void say("acknowledged", n);
  }
  await saver.close();

  await say("written");
  await toldToGo();
  await using reader = open();
  await own.check(reader);
  if (tab === 0) await checkAll(reader, { tabs, steps });
}

async function putOnBranch(saver: IndexedDBSaver, tab: number, n: number): Promise<void> {
  const parent = n === 0 ? at(branches) : at(branches, "", idOf(tab, n - 1));
  await put(saver, parent, idOf(tab, n), { values: { list: listOf(tab, n) }, versions: { list: n + 1 } });
}

async function append(thread: Together, message: Message, how: "under its lock" | "at risk"): Promise<void> {
  const newest = () => thread.slice("messages", { last: 1 });
  if (how === "under its lock") return thread.withLock(async () => {
    await newest();
    await retried(() => thread.append({ messages: message }), newest);
  });
  await retried(() => thread.append({ messages: message }), newest);
}

/** Those who append at risk may come in between, also where the lock is held. */
async function retried(append: () => Promise<unknown>, refresh: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      await append();
      return;
    } catch (error) {
      if (!(error instanceof ConflictError)) throw error;
      await refresh();
    }
  }
}

async function checkAll(saver: IndexedDBSaver, { tabs, steps }: Size): Promise<void> {
  const everyTab = Array.from({ length: tabs }, (_, tab) => tab);
  const found = new Map((await listed(saver, at(branches))).map((tuple) => [tuple.checkpoint.id, tuple]));
  for (const tab of everyTab) {
    for (let n = tab === 0 ? 0 : 1; n <= steps; n += 1) {
      const tuple = found.get(checkpointId(idOf(tab, n)));
      requireSame(tuple?.checkpoint.channel_values, { list: listOf(tab, n) }, `step ${n} of tab ${tab}`);
      requireSame(tuple?.parentConfig?.configurable?.["checkpoint_id"], n === 0 ? undefined : checkpointId(idOf(tab, n - 1)), `parent of step ${n} of tab ${tab}`);
    }
  }
  requireSame(found.size, 1 + tabs * steps, "number of checkpoints");
  const lengths = (await saver.threads.thread(branches).branches()).map(({ length }) => length).toSorted((a, b) => a - b);
  requireSame(lengths, [...everyTab.slice(1).map(() => steps), steps + 1], "lengths of the branches");

  const { messages } = await (saver.threads.thread(together) as Together).values();
  const due = Array.from({ length: Math.floor(steps / every) }, (_, index) => (index + 1) * every);
  for (const tab of everyTab) requireSame(messages.filter(({ id }) => id?.startsWith(`${tab}-`)), due.map((n) => messageOf(tab, n)), `messages of tab ${tab}`);
  requireSame(messages.length, tabs * due.length, "number of messages");
  const { problems } = await saver.verify();
  requireSame(problems, [], "problems");
}

function requireSame(found: unknown, expected: unknown, what: string): void {
  const reason = difference(found, expected, what);
  if (reason !== undefined) throw new Error(reason);
}
