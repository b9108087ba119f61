import type { Page } from "@playwright/test";

export interface ToolRun {
  readonly tool: string;
  readonly starts: number;
  readonly finished: boolean;
}

/** How often each tool was really started, as the demo's own database counts it. */
export function toolRuns(page: Page): Promise<ToolRun[]> {
  return page.evaluate(async () => {
    const settled = <Result>(request: IDBRequest<Result>) =>
      new Promise<Result>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error ?? new Error("The request failed."));
      });
    const database = await settled(indexedDB.open("demo-app"));
    const rows = (await settled(database.transaction("toolRuns").objectStore("toolRuns").getAll())) as { tool: string; starts: number; finishedAt?: number }[];
    database.close();
    return rows.map(({ tool, starts, finishedAt }) => ({ tool, starts, finished: finishedAt !== undefined }));
  });
}

/** In every store of the saver's database: how many rows name the thread in their key or in what they hold. */
export function rowsNaming(page: Page, threadId: string): Promise<Record<string, number>> {
  return page.evaluate(async (id) => {
    const settled = <Result>(request: IDBRequest<Result>) =>
      new Promise<Result>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error ?? new Error("The request failed."));
      });
    const names = (value: unknown): boolean => {
      if (typeof value === "string") return value === id;
      if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return false;
      return Object.entries(value).some(([key, part]) => key === id || names(part));
    };
    const database = await settled(indexedDB.open("demo"));
    const counts: Record<string, number> = {};
    for (const name of database.objectStoreNames) {
      const store = database.transaction(name).objectStore(name);
      const [keys, rows] = await Promise.all([settled(store.getAllKeys()), settled(store.getAll())]);
      counts[name] = keys.filter((key, at) => names(key) || names(rows[at])).length;
    }
    database.close();
    return counts;
  }, threadId);
}
