import { expect, onTestFinished, test } from "vitest";
import { BLOCK, Log } from "../src/engine/log.ts";
import { type Branch, type Channel, Connection, type Namespace, read, type ThreadKey, write } from "../src/idb/index.ts";
import { freshName } from "./support/contract.ts";
import { deleteDatabase } from "./support/raw-database.ts";

const KEY = [1 as ThreadKey, "" as Namespace, "log" as Channel, 0 as Branch] as const;
const LENGTH = 40 * BLOCK + 5;
const element = (n: number): Uint8Array => new Uint8Array(100).fill(n % 251, 0, 50).fill(Math.floor(n / 251), 50);

test("Of a log no more is read for a comparison than it may take, the last elements first", async () => {
  const name = freshName();
  const connection = new Connection(name);
  onTestFinished(async () => {
    await connection.close();
    await deleteDatabase(name);
  });
  await connection.use((opened) =>
    write(opened, "relaxed", async (tx) => {
      const log = new Log(KEY);
      for (let n = 0; n < LENGTH; n++) log.add(element(n));
      await log.flush(tx);
    }),
  );
  const known = (bytes?: number) =>
    connection.use((opened) =>
      read(opened, async (tx) => {
        const log = new Log(KEY);
        await log.refresh(tx, 0);
        await log.fetchLast(tx, bytes);
        const found = Array.from({ length: LENGTH }, (_, n) => log.find(element(n)));
        expect(found.every((position, n) => position === undefined || position === n)).toBe(true);
        return { first: found.findIndex((position) => position !== undefined), count: found.filter((position) => position !== undefined).length };
      }),
    );

  expect(await known()).toStrictEqual({ first: 0, count: LENGTH });
  const { first, count } = await known(40_000);
  expect(count).toBe(LENGTH - first);
  expect(count).toBeGreaterThanOrEqual(400);
  expect(count).toBeLessThan(600);
});
