import { expect } from "vitest";
import { aggregate, delta, lastValue, type Message, Overwrite, REMOVE_ALL_MESSAGES, removeMessage, type ValueType } from "../../src/threads/index.ts";
import { errorOf } from "../support/errors.ts";
import { chat, say, threadContract } from "../support/thread-stores.ts";

const numbers = delta((state: readonly number[], writes: readonly number[]) => [...state, ...writes], { snapshotFrequency: 3 });
const sum = aggregate((state: number, write: number) => state + write, { initial: () => 0 });

threadContract("A step", (it) => {
  it("stores several channels at once, and gives the checkpoint's id", async ({ threads }) => {
    const thread = threads.thread("t");
    const first = await thread.append({ messages: [say("a")], title: "Hello" });
    const second = await thread.append({ messages: say("b") });
    expect(first < second).toBe(true);
    expect(thread.head).toBe(second);
    expect(await thread.values()).toStrictEqual({ messages: [say("a"), say("b")], title: "Hello" });
    expect(await thread.values({ at: first })).toStrictEqual({ messages: [say("a")], title: "Hello" });
    expect(await thread.state()).toMatchObject({ id: second, parent: first, metadata: { source: "update", step: 1 }, created: expect.any(Date) });
  });

  it("keeps what the store notes itself, whatever metadata it is given", async ({ threads, open }) => {
    const thread = threads.thread("t");
    await thread.append({ title: "one" }, { metadata: { mine: 1 } });
    const { metadata } = (await thread.state())!;
    await thread.append({ title: "two" }, { metadata: { ...metadata, schema_version: 7, counters_since_delta_snapshot: { title: [1, 1] } } });
    expect((await open({ channels: chat }).thread("t").state())!).toMatchObject({ values: { title: "two" }, metadata: { mine: 1, source: "update", step: 1 } });
  });

  it("refuses what is no message", async ({ threads }) => {
    const thread = threads.thread("t");
    for (const messages of [null, [null], [say("a"), undefined]]) {
      expect((await errorOf(thread.append({ messages: messages as never }))).code).toBe("invalid-config");
    }
    expect(await thread.state()).toBeUndefined();
  });

  it("of a delta channel is refused to who takes it for a last value, and not read in part", async ({ open, database }) => {
    const rebuilt = delta((state: readonly number[], writes: readonly number[]) => [...state, ...writes], { snapshotFrequency: 100 });
    const thread = open({ channels: { numbers: rebuilt } }).thread("t");
    for (const number of [1, 2, 3]) await thread.append({ numbers: number });
    const other = open({ name: database, channels: { numbers: lastValue<number[]>() } }).thread("t");
    expect((await errorOf(other.values())).code).toBe("undefined-channel");
    expect(await thread.values()).toStrictEqual({ numbers: [1, 2, 3] });
  });

  it("edits messages by id, and removes them", async ({ threads }) => {
    const thread = threads.thread("t");
    const all = await thread.append({ messages: [say("a"), say("b"), say("c"), say("d")] });
    await thread.append({ messages: [say("b", "changed"), removeMessage("c"), say("e")] });
    expect((await thread.values()).messages).toStrictEqual([say("a"), say("b", "changed"), say("d"), say("e")]);
    await thread.append({ messages: [removeMessage(REMOVE_ALL_MESSAGES), say("f")] });
    expect((await thread.values()).messages).toStrictEqual([say("f")]);
    await thread.append({ messages: new Overwrite([say("g"), say("h")]) });
    expect((await thread.values()).messages).toStrictEqual([say("g"), say("h")]);
    expect((await thread.values({ at: all })).messages).toStrictEqual([say("a"), say("b"), say("c"), say("d")]);
  });

  it("gives an id to messages that have none, once", async ({ threads }) => {
    const thread = threads.thread("t");
    await thread.append({ messages: [{ role: "user", content: "hi" }, { role: "assistant", content: "ho" }] });
    const { messages } = await thread.values();
    expect(messages.map(({ id }) => id)).toStrictEqual([expect.stringMatching(/^[\da-f-]{36}$/), expect.stringMatching(/^[\da-f-]{36}$/)]);
    await thread.append({ messages });
    expect(await threads.thread("t").values()).toStrictEqual({ messages });
  });

  it("takes several updates in order", async ({ open }) => {
    const thread = open({ channels: { numbers, sum } }).thread("t");
    await thread.append([{ numbers: 1, sum: 5 }, { numbers: 2, sum: 6 }]);
    expect(await thread.values()).toStrictEqual({ numbers: [1, 2], sum: 11 });
  });

  it("rebuilds a delta channel from its snapshots and writes, at every checkpoint", async ({ open }) => {
    const thread = open({ channels: { numbers, sum } }).thread("t");
    const ids: string[] = [];
    for (let number = 0; number < 10; number++) ids.push(await thread.append({ numbers: number, sum: 1 }));
    const again = open({ channels: { numbers, sum } }).thread("t");
    for (const [index, at] of ids.entries()) {
      expect(await again.values({ at })).toStrictEqual({ numbers: Array.from({ length: index + 1 }, (_, number) => number), sum: index + 1 });
    }
  });

  it("begins anew at an Overwrite", async ({ open }) => {
    const thread = open({ channels: { numbers } }).thread("t");
    await thread.append({ numbers: 1 });
    const root = await thread.append({ numbers: new Overwrite([7]) });
    await thread.append({ numbers: 8 });
    expect((await open({ channels: { numbers } }).thread("t").values()).numbers).toStrictEqual([7, 8]);
    expect((await thread.values({ at: root })).numbers).toStrictEqual([7]);
    expect((await errorOf(thread.append([{ numbers: new Overwrite([1]) }, { numbers: new Overwrite([2]) }]))).code).toBe("invalid-update");
    expect((await thread.values()).numbers).toStrictEqual([7, 8]);
  });

  it("stores what the arguments hold at the call", async ({ threads }) => {
    const thread = threads.thread("t");
    const message = { id: "a", role: "user", content: "then" };
    const list: Message[] = [message];
    const appending = thread.append({ messages: list });
    message.content = "later";
    list.push(say("b"));
    await appending;
    expect((await thread.values()).messages).toStrictEqual([say("a", "then")]);
  });

  it("stores what they hold at the very first call too: bytes, built-ins and registered instances", async ({ open }) => {
    class Money {
      cents: number;
      constructor(cents: number) {
        this.cents = cents;
      }
    }
    const money: ValueType<Money, number> = { name: "money", is: (value) => value instanceof Money, encode: ({ cents }) => cents, decode: (cents) => new Money(cents) };
    const content = { bytes: Uint8Array.of(1, 2, 3), when: new Date(5), seen: new Set(["a"]), price: new Money(7), odd: -0, none: undefined };
    const expected = { bytes: Uint8Array.of(1, 2, 3), when: new Date(5), seen: new Set(["a"]), price: new Money(7), odd: -0, none: undefined };
    const thread = open({ channels: chat, types: [money as unknown as ValueType] }).thread("t");
    const appending = thread.append({ messages: { id: "a", content } }, { metadata: { content } });
    content.bytes[0] = 9;
    content.when.setTime(9);
    content.seen.add("b");
    content.price.cents = 9;
    await appending;
    expect((await thread.values()).messages).toStrictEqual([{ id: "a", content: expected }]);
    expect((await thread.state())?.metadata["content"]).toStrictEqual(expected);
  });

  it("keeps the order of the calls", async ({ threads }) => {
    const thread = threads.thread("t");
    const ids = await Promise.all(Array.from({ length: 20 }, (_, index) => thread.append({ messages: say(String(index)) })));
    expect(ids).toStrictEqual([...ids].sort());
    expect((await thread.values()).messages.map(({ id }) => id)).toStrictEqual(ids.map((_, index) => String(index)));
    expect(await thread.branches()).toHaveLength(1);
  });

  it("has the initial values before the first", async ({ open }) => {
    const thread = open({ channels: { ...chat, numbers, sum, theme: lastValue({ initial: () => "light" }) } }).thread("t");
    expect(await thread.values()).toStrictEqual({ messages: [], numbers: [], sum: 0, theme: "light" });
    expect(await thread.state()).toBeUndefined();
    await thread.append({ title: "x" });
    expect(await thread.values()).toStrictEqual({ messages: [], numbers: [], sum: 0, theme: "light", title: "x" });
  });

  it("refuses what it cannot store, and stores nothing of it", async ({ threads }) => {
    const thread = threads.thread("t");
    const error = await errorOf(thread.append({ title: "x", messages: [{ id: "a", content: () => undefined }] }));
    expect(error).toMatchObject({ code: "unsupported-value", path: "messages[0].content" });
    expect((await errorOf(thread.append({ other: 1 } as never))).code).toBe("undefined-channel");
    expect((await errorOf(thread.values({ at: "1ef00000-0000-6000-8000-000000000000" }))).code).toBe("unknown-checkpoint");
    expect(await thread.state()).toBeUndefined();
  });

  it("carries what the application notes with it", async ({ threads }) => {
    const thread = threads.thread("t");
    const id = await thread.append({ title: "x" }, { metadata: { user: "me", at: new Date(5) } });
    expect((await thread.state({ at: id }))?.metadata).toMatchObject({ user: "me", at: new Date(5), source: "update" });
  });
});

threadContract("Two who append to one thread", (it) => {
  it("conflict, if one has not seen what the other did", async ({ threads, open }) => {
    const [one, other] = [threads.thread("t"), open({ channels: chat }).thread("t")];
    const root = await one.append({ messages: say("a") });
    await other.values();
    await one.append({ messages: say("b") });
    const error = await errorOf(other.append({ messages: say("c") }));
    expect(error).toMatchObject({ code: "conflict", thread: "t", parent: root });
    await other.values();
    await other.append({ messages: say("c") });
    expect((await one.values()).messages).toStrictEqual([say("a"), say("b"), say("c")]);
  });

  it("conflict over the beginning too", async ({ threads }) => {
    const [one, other] = [threads.thread("t"), threads.thread("t")];
    await Promise.all([one.values(), other.values()]);
    await one.append({ title: "one" });
    expect((await errorOf(other.append({ title: "other" }))).code).toBe("conflict");
  });

  it("make a branch if they say so", async ({ threads }) => {
    const [one, other] = [threads.thread("t"), threads.thread("t")];
    const root = await one.append({ messages: say("a") });
    await other.values();
    const b = await one.append({ messages: say("b") });
    const c = await other.append({ messages: say("c") }, { stale: "fork" });
    expect((await one.values({ at: b })).messages).toStrictEqual([say("a"), say("b")]);
    expect((await one.values({ at: c })).messages).toStrictEqual([say("a"), say("c")]);
    expect(await one.branches()).toStrictEqual([
      { start: root, tip: b, length: 2, newest: false },
      { start: c, tip: c, length: 1, parent: root, newest: true },
    ]);
  });

  it("append one after another if they read nothing", async ({ threads, open }) => {
    const stores = [threads, open({ channels: chat })];
    await Promise.all(Array.from({ length: 12 }, (_, index) => stores[index % 2]!.thread("t").append({ messages: say(String(index)) })));
    expect(new Set((await threads.thread("t").values()).messages.map(({ id }) => id)).size).toBe(12);
    expect(await threads.thread("t").branches()).toHaveLength(1);
  });
});

threadContract("Reading", (it) => {
  it("while a step is under way does not take a handle back", async ({ threads }) => {
    const thread = threads.thread("t");
    const root = await thread.append({ messages: say("a") });
    for (const handle of [thread, thread.fork(root)]) {
      const reading = [handle.values(), handle.slice("messages", { last: 1 })];
      const appended = await handle.append({ messages: say("b") });
      reading.push(handle.values(), handle.slice("messages", { last: 1 }));
      await Promise.all(reading);
      expect(handle.head).toBe(appended);
      await handle.append({ messages: say("c") });
    }
    expect((await thread.branches()).map(({ length }) => length)).toStrictEqual([3, 2]);
  });
});

threadContract("A fork", (it) => {
  it("goes its own way, and the other stays", async ({ threads }) => {
    const thread = threads.thread("t");
    const root = await thread.append({ messages: say("a"), title: "root" });
    const main = await thread.append({ messages: say("b") });
    const fork = thread.fork(root);
    expect(await fork.values()).toStrictEqual({ messages: [say("a")], title: "root" });
    const first = await fork.append({ messages: say("c") });
    const second = await fork.append({ title: "fork" });
    expect(await fork.values()).toStrictEqual({ messages: [say("a"), say("c")], title: "fork" });
    expect(fork.head).toBe(second);
    expect(await thread.values({ at: main })).toStrictEqual({ messages: [say("a"), say("b")], title: "root" });
    await thread.append({ messages: say("d") });
    expect(await thread.values()).toStrictEqual({ messages: [say("a"), say("b"), say("d")], title: "root" });
    expect((await thread.branches()).map(({ parent, tip, newest }) => ({ parent, tip, newest }))).toStrictEqual([
      { parent: undefined, tip: thread.head, newest: true },
      { parent: root, tip: second, newest: false },
    ]);
    expect((await thread.state({ at: first }))?.parent).toBe(root);
  });

  it("keeps the writes of its siblings apart, of any channel", async ({ open }) => {
    const channels = { numbers, others: numbers };
    const thread = open({ channels }).thread("t");
    const root = await thread.append({ numbers: 0, others: 0 });
    const siblings = await Promise.all([1, 2, 3].map((number) => thread.fork(root).append(number === 2 ? { others: 2 } : { numbers: number })));
    const again = open({ channels }).thread("t");
    expect(await Promise.all(siblings.map((at) => again.values({ at })))).toStrictEqual([
      { numbers: [0, 1], others: [0] },
      { numbers: [0], others: [0, 2] },
      { numbers: [0, 3], others: [0] },
    ]);
  });
});
