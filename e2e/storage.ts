import type { JSHandle, Page } from "@playwright/test";

type Settled = <Result>(request: IDBRequest<Result>) => Promise<Result>;

/** A function of the page that waits for a request of its IndexedDB. */
function settledIn(page: Page): Promise<JSHandle<Settled>> {
  return page.evaluateHandle(
    () =>
      <Result>(request: IDBRequest<Result>) =>
        new Promise<Result>((resolve, reject) => {
          request.onsuccess = () => resolve(request.result);
          request.onerror = () => reject(request.error ?? new Error("The request failed."));
        }),
  );
}

export interface ToolRun {
  readonly tool: string;
  readonly starts: number;
  readonly finished: boolean;
}

/** How often each tool was really started, as the demo's own database counts it. */
export async function toolRuns(page: Page): Promise<ToolRun[]> {
  return page.evaluate(async (settled) => {
    const database = await settled(indexedDB.open("demo-app"));
    const rows = (await settled(database.transaction("toolRuns").objectStore("toolRuns").getAll())) as { tool: string; starts: number; finishedAt?: number }[];
    database.close();
    return rows.map(({ tool, starts, finishedAt }) => ({ tool, starts, finished: finishedAt !== undefined }));
  }, await settledIn(page));
}

/** How many rows each store of the saver's database has. */
export async function rowCounts(page: Page): Promise<Record<string, number>> {
  return page.evaluate(async (settled) => {
    const database = await settled(indexedDB.open("demo"));
    const names = [...database.objectStoreNames];
    const transaction = database.transaction(names);
    const counts = await Promise.all(names.map((name) => settled(transaction.objectStore(name).count())));
    database.close();
    return Object.fromEntries(names.map((name, at) => [name, counts[at] ?? 0]));
  }, await settledIn(page));
}

/** A database that was made and holds no thread. */
export const NO_THREADS = { meta: 1, threads: 0, revisions: 0, checkpoints: 0, writes: 0, blocks: 0, pasts: 0, content: 0 };

/** Changes a bit of the last row of content, behind the saver's back. */
export async function damageContent(page: Page): Promise<void> {
  return page.evaluate(async (settled) => {
    const database = await settled(indexedDB.open("demo"));
    const store = database.transaction("content", "readwrite").objectStore("content");
    const keys = await settled(store.getAllKeys());
    const key = keys.at(-1)!;
    const row = (await settled(store.get(key))) as Uint8Array;
    row[row.length - 1]! ^= 1;
    await settled(store.put(row, key));
    database.close();
  }, await settledIn(page));
}
