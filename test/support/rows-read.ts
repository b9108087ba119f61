/** Runs `work`, and counts the rows of content that this realm reads meanwhile. */
export async function contentRowsRead(work: () => Promise<unknown>): Promise<number> {
  const prototype = IDBObjectStore.prototype;
  const { getAll, get } = prototype;
  let rows = 0;
  const counted = (request: IDBRequest, store: IDBObjectStore): IDBRequest => {
    request.addEventListener("success", () => {
      if (store.name === "content") rows += Array.isArray(request.result) ? request.result.length : 1;
    });
    return request;
  };
  prototype.getAll = function (this: IDBObjectStore, ...args) {
    return counted(getAll.apply(this, args), this);
  };
  prototype.get = function (this: IDBObjectStore, ...args) {
    return counted(get.apply(this, args), this);
  };
  try {
    await work();
    return rows;
  } finally {
    Object.assign(prototype, { getAll, get });
  }
}
