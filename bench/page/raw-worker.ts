import { openRaw, readRaw } from "./raw-database.ts";

/** Opens at once, answers every message with the row's bytes. */
const opening = openRaw();
addEventListener("message", () => void answer());

async function answer(): Promise<void> {
  const bytes = await readRaw(await opening);
  if (bytes === undefined) postMessage(undefined);
  else postMessage(bytes, { transfer: [bytes.buffer] });
}
