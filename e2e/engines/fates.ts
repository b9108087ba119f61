import fc from "fast-check";
import { CheckpointError, IndexedDBSaver, type IndexedDBSaverOptions } from "../../src/index.ts";
import { at, put, valuesAt } from "../../test/support/checkpoints.ts";
import { errorOf } from "../../test/support/errors.ts";
import { RecordedThread, step } from "../../test/support/recorded-thread.ts";

/* What browsers do to a page: each of these plays its part in one, and fails if it does not end as it should. */

const open = (name: string, options: Pick<IndexedDBSaverOptions, "encryption"> = {}): IndexedDBSaver =>
  new IndexedDBSaver({ name, worker: () => new Worker("/host.js", { type: "module" }), ...options });

/** It is left while it writes, and comes back from the back/forward cache; again, where the browser did not keep it there, as it is free to. */
export async function putAside(): Promise<void> {
  await using saver = open("put aside");
  const loaded = Number(sessionStorage.getItem("loaded") ?? 0) + 1;
  sessionStorage.setItem("loaded", String(loaded));
  if (loaded > 5) throw new Error("the page was never put aside");
  await saver.deleteThread("thread");
  let left = 0;
  addEventListener("pageshow", ({ persisted }) => {
    if (persisted) left = 20;
  });
  const thread = new RecordedThread("thread", true);
  for (const [n, each] of fc.sample(step, { seed: 7, numRuns: 2_000 }).entries()) {
    await thread.put(saver, each);
    if (n === 20) location.assign("/away");
    if (left > 0 && (left -= 1) === 0) break;
  }
  if (thread.acknowledged >= 2_000) throw new Error("the page was not put aside");
  await thread.check(saver);
  requireSame((await saver.verify()).problems, [], "problems");
}

/** The site's data is deleted by a header of its server while the page writes. */
export async function cleared(): Promise<void> {
  const saver = open("cleared");
  let newest = await put(saver, at("thread"), 1, { values: { list: [1] } });
  await fetch("/clear");
  let refusal: unknown;
  for (let n = 2; refusal === undefined; n += 1) {
    if (n > 2_000) throw new Error("nothing was deleted");
    newest = await put(saver, newest, n, { values: { list: [n] } }).catch((error: unknown) => {
      refusal = error;
      return newest;
    });
  }
  requireSame(CheckpointError.is(refusal) && refusal.code, "database-lost", "the first refusal");
  requireSame((await errorOf(saver.getTuple(at("thread")))).code, "database-lost", "reading");
  requireSame((await errorOf(put(saver, newest, 3_000))).code, "database-lost", "the second refusal");
  // After an upgrade that was aborted WebKit lists a database of version 0, which is none.
  requireSame((await indexedDB.databases()).filter(({ version }) => version !== 0), [], "databases");
  requireSame(saver.status().state, "failed", "state");
  await saver.close();

  await using another = open("cleared");
  requireSame(await another.getTuple(at("thread")), undefined, "what another saver finds");
  requireSame(await valuesAt(another, await put(another, at("thread"), 1, { values: { list: ["new"] } })), { list: ["new"] }, "what it stores");
}

/** It is in a private window: everything works, and nothing is there of a window before. */
export async function inPrivate(): Promise<void> {
  await writtenAndFound(() => open("private"));
}

/** Its database is encrypted. */
export async function encrypted(): Promise<void> {
  const key = await crypto.subtle.generateKey({ name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"]);
  await writtenAndFound(() => open("encrypted", { encryption: { key } }));
  requireSame((await errorOf(open("encrypted").getTuple(at("thread")))).code, "encryption-required", "without the key");
}

async function writtenAndFound(open: () => IndexedDBSaver): Promise<void> {
  const thread = new RecordedThread("thread", true);
  {
    await using saver = open();
    requireSame(await saver.getTuple(at("thread")), undefined, "what is there of a window before");
    for (const each of fc.sample(step, { seed: 9, numRuns: 40 })) await thread.put(saver, each);
  }
  await using another = open();
  await thread.check(another);
  requireSame((await another.verify()).problems, [], "problems");
}

/** A frame of another origin than any, which may not touch IndexedDB. */
export async function sandboxed(): Promise<void> {
  const told = new Promise<unknown>((resolve) => addEventListener("message", ({ data }) => resolve(data)));
  const frame = Object.assign(document.createElement("iframe"), { src: `${location.href}&framed` });
  frame.setAttribute("sandbox", "allow-scripts");
  document.body.append(frame);
  requireSame(await told, "storage-unavailable", "the frame");
}

/** What runs in it. */
export async function framed(): Promise<void> {
  const saver = new IndexedDBSaver({ name: "framed", worker: false });
  parent.postMessage((await errorOf(saver.getTuple(at("thread")))).code, "*");
}

function requireSame(found: unknown, expected: unknown, what: string): void {
  const [is, should] = [found, expected].map((value) => JSON.stringify(value));
  if (is !== should) throw new Error(`${what}: ${is} and not ${should}`);
}
