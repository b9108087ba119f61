import { expect } from "vitest";
import { at, put, valuesAt } from "./support/checkpoints.ts";
import { databaseTest as it } from "./support/contract.ts";
import { readRows, textOf } from "./support/raw-database.ts";

const newKey = () => crypto.subtle.generateKey({ name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"]);

it("smoke", async ({ open, database }) => {
  const key = await newKey();
  const saver = open({ encryption: { key }, worker: false });
  const first = await put(saver, at("thread"), 1, { values: { list: ["secret one".repeat(10)] } });
  const second = await put(saver, first, 2, { values: { list: ["secret one".repeat(10), "two"] } });
  expect(await valuesAt(saver, second)).toStrictEqual({ list: ["secret one".repeat(10), "two"] });
  const again = open({ encryption: { key: await crypto.subtle.generateKey({ name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"]) } });
  await expect(valuesAt(again, second)).rejects.toMatchObject({ code: "wrong-key" });
  await expect(valuesAt(open(), second)).rejects.toMatchObject({ code: "encryption-required" });
  expect(await valuesAt(open({ encryption: { key } }), second)).toStrictEqual({ list: ["secret one".repeat(10), "two"] });
  expect(textOf(await readRows(database))).not.toContain("secret");
  console.log((await readRows(database)).length);
});
