import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { delta, lastValue, type Message, messagesReducer, ThreadStore } from "../../src/threads/index.ts";
import { freshName, implementations, openSaver, workerOption } from "../support/contract.ts";
import { difference } from "../support/difference.ts";
import { apply, type Edit, edit } from "../support/edits.ts";
import { deleteDatabase } from "../support/raw-database.ts";
import { runs } from "../support/runs.ts";
import { still } from "../support/still.ts";

const channels = {
  messages: delta(messagesReducer, { snapshotFrequency: 5 }),
  items: lastValue<unknown[]>(),
  map: lastValue<Map<string, unknown>>(),
};

interface State {
  messages: Message[];
  items: unknown[];
  map: Map<string, unknown>;
}

/** A thread store knows nothing of LangChain's messages. */
const withoutMessages = (change: Edit): Edit =>
  "items" in change ? { ...change, items: change.items.map((each) => (each.kind === "message" ? { ...each, kind: "object" } : each)) } : change;

const message = fc.record({ id: fc.nat(80).map(String), size: fc.constantFrom(5, 100, 400, 3_000) }).map(({ id, size }): Message => ({ id, role: "user", content: `says ${id} `.repeat(1 + size / 8) }));
const step = fc.record({
  messages: fc.array(message, { maxLength: 40, size: "max" }),
  edits: fc.array(fc.record({ channel: fc.constantFrom("items" as const, "map" as const), change: edit.map(withoutMessages) }), { maxLength: 3 }),
  /** How many steps to go back over before going on. */
  back: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(12) }),
  reload: fc.integer({ min: 0, max: 2 }).map((die) => die === 0),
});

const empty: State = { messages: [], items: [], map: new Map() };

describe.each(implementations)("Any edits of a thread's lists and maps (%s)", (implementation) => {
  it("leave every checkpoint as it was appended, at every moment, and its content stored once", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 16, size: "max" }), async (plan) => {
        const name = freshName();
        const open = () => new ThreadStore({ name, worker: implementation === "inline" ? false : workerOption, channels });
        let store = open();
        const known: { id: string; state: State }[] = [];
        const check = async (): Promise<void> => {
          const found = await Promise.all(known.map(({ id }) => store.thread("t").values({ at: id })));
          for (const [n, { state }] of known.entries()) expect(difference(found[n], state, `step ${n}`)).toBeUndefined();
        };
        try {
          let held = still(empty);
          for (const { messages, edits, back, reload } of plan) {
            if (reload) {
              await store.close();
              store = open();
            }
            const from = known[known.length - 1 - (back % Math.max(1, known.length))];
            if (back > 0 && from !== undefined) held = still(from.state);
            for (const { channel, change } of edits) apply(change, held[channel]);
            held.messages = messagesReducer(held.messages, [messages]);
            const thread = store.thread("t");
            const stored = (from === undefined ? thread : thread.fork(from.id)).append({ messages, items: held.items, map: held.map }, { stale: "fork" });
            const state = still(held);
            known.push({ id: await stored, state });
            await check();
          }
          await store.close();
          store = open();
          await check();
          const saver = openSaver(implementation, { name });
          expect((await saver.verify()).problems).toStrictEqual([]);
          await saver.close();
        } finally {
          await store.close();
          await deleteDatabase(name);
        }
      }),
      runs(30),
    );
  }, 240_000);
});
