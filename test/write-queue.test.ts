import { describe, expect, it } from "vitest";
import { type Batch, type Operation, WriteQueue } from "../src/engine/write-queue.ts";
import { TransactionFailedError } from "../src/errors/index.ts";
import type { ThreadId } from "../src/idb/index.ts";

const operation = (name: string, durability: Operation["durability"] = "relaxed"): Operation => ({
  thread: name as ThreadId,
  durability,
  change: { thread: name as ThreadId, kind: "thread" },
  begins: true,
  run: () => Promise.resolve(),
});
const named = (operations: readonly Operation[]): string => operations.map(({ thread }) => thread).join(" ");

/** A queue whose transactions take in what `meanwhile` asks for, and what each of them was for. */
function queueWhere(meanwhile: (transaction: number) => void, fails: (transaction: string) => boolean = () => false) {
  const transactions: string[] = [];
  const asked: Promise<string>[] = [];
  const queue = new WriteQueue(async (batch: Batch) => {
    const ran: Operation[] = [];
    for (let next = batch.operations; next.length > 0; next = batch.join()) {
      ran.push(...next);
      meanwhile(transactions.length);
      await Promise.resolve();
    }
    transactions.push(named(ran));
    expect(ran).toStrictEqual(batch.operations);
    if (fails(named(ran))) throw new TransactionFailedError({ reason: "injected" });
  });
  const ask = (added: Operation): void => {
    asked.push(
      queue.add(added).then(
        () => `${added.thread} stored`,
        () => `${added.thread} failed`,
      ),
    );
  };
  const settled = async () => {
    await queue.drain();
    return (await Promise.all(asked)).join(", ");
  };
  return { transactions, ask, settled };
}

describe("What is asked while a transaction is under way", () => {
  it("joins it, and what is asked meanwhile too", async () => {
    const waiting = [operation("b"), operation("c"), operation("d")];
    const { transactions, ask, settled } = queueWhere(() => waiting.splice(0, 1).forEach(ask));
    ask(operation("a"));
    expect(await settled()).toBe("a stored, b stored, c stored, d stored");
    expect(transactions).toStrictEqual(["a b c d"]);
  });

  it("waits if it is to be flushed to the disk and the transaction is not, and what comes after it too", async () => {
    const waiting = [operation("b"), operation("c", "strict"), operation("d")];
    const { transactions, ask, settled } = queueWhere(() => waiting.splice(0).forEach(ask));
    ask(operation("a"));
    expect(await settled()).toBe("a stored, b stored, c stored, d stored");
    expect(transactions).toStrictEqual(["a b", "c d"]);
  });

  it("joins one that is flushed to the disk anyway", async () => {
    const waiting = [operation("b"), operation("c", "strict")];
    const { transactions, ask, settled } = queueWhere(() => waiting.splice(0).forEach(ask));
    ask(operation("a", "strict"));
    await settled();
    expect(transactions).toStrictEqual(["a b c"]);
  });

  it("waits if there is no end of it", async () => {
    let left = 200;
    const { transactions, ask, settled } = queueWhere(() => {
      if (left-- > 0) ask(operation("x"));
    });
    ask(operation("a"));
    await settled();
    expect(transactions.map((transaction) => transaction.split(" ").length)).toStrictEqual([64, 64, 64, 9]);
  });

  it("is tried alone like the others when the transaction fails, and nothing joins it then", async () => {
    const waiting = [operation("bad"), operation("c")];
    const late = [operation("d")];
    const { transactions, ask, settled } = queueWhere(
      (transaction) => (transaction === 0 ? waiting : late).splice(0).forEach(ask),
      (transaction) => transaction.includes("bad"),
    );
    ask(operation("a"));
    expect(await settled()).toBe("a stored, bad failed, c stored, d stored");
    expect(transactions).toStrictEqual(["a bad c", "a", "bad", "c", "d"]);
  });
});
