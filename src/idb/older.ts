/** Whether a database of an earlier version than this one is there. An open for this one that is not answered then waits for those who have it open. */
export async function isOlder(name: string, version: number): Promise<boolean> {
  try {
    const found = (await indexedDB.databases()).find((database) => database.name === name);
    return found?.version !== undefined && found.version < version;
  } catch {
    return false; // No browser has to tell what there is.
  }
}
