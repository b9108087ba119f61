import { encodedBytes } from "./rows.ts";
import { wrap } from "./wrap.ts";

/** What went through IndexedDB, or through the files of OPFS, in one realm. */
export interface Traffic {
  readonly puts: number;
  /** Keys and values of everything that was put, in the encoding of rows.ts; of a file the bytes as they are. */
  readonly bytesPut: number;
  /** Rows that requests and cursors brought, and keys that came without a row. */
  readonly rowsRead: number;
  readonly keysRead: number;
}

/** The class of an open file in the origin private file system, which only workers have. */
interface PrivateFiles {
  readonly prototype: { write(bytes: ArrayBufferView): number };
}

const none: Traffic = { puts: 0, bytesPut: 0, rowsRead: 0, keysRead: 0 };

export const sumOf = (parts: readonly Traffic[]): Traffic =>
  parts.reduce(
    (sum, part) => ({
      puts: sum.puts + part.puts,
      bytesPut: sum.bytesPut + part.bytesPut,
      rowsRead: sum.rowsRead + part.rowsRead,
      keysRead: sum.keysRead + part.keysRead,
    }),
    none,
  );

/** Counts the traffic of the realm it is installed in. */
export class Meter {
  #traffic = none;
  #unsized: (readonly unknown[])[] = [];

  /** To tell a value's size takes time: `"when asked"` leaves it to {@link size}, and the value must not change until then. */
  static install({ sizing }: { sizing: "at once" | "when asked" }): Meter {
    const meter = new Meter();
    const written = (args: readonly unknown[]) => {
      meter.#unsized.push(args);
      if (sizing === "at once") meter.size();
    };
    for (const method of ["put", "add"] as const) wrap(IDBObjectStore.prototype, method, (_, args) => written(args));
    wrap(IDBCursor.prototype, "update", (_, args) => written(args));
    for (const source of [IDBObjectStore.prototype, IDBIndex.prototype]) {
      for (const method of ["get", "getAll", "openCursor"] as const) meter.#countResults(source, method, "rowsRead");
      for (const method of ["getKey", "getAllKeys", "openKeyCursor"] as const) meter.#countResults(source, method, "keysRead");
      if ("getAllRecords" in source) meter.#countResults(source, "getAllRecords", "rowsRead");
    }
    const files: PrivateFiles | undefined = Reflect.get(globalThis, "FileSystemSyncAccessHandle");
    if (files !== undefined) wrap(files.prototype, "write", (_, [bytes]) => written([bytes]));
    return meter;
  }

  size(): void {
    for (const args of this.#unsized) {
      const bytes = args.reduce<number>((sum, arg) => (arg === undefined ? sum : sum + encodedBytes(arg)), 0);
      this.#traffic = sumOf([this.#traffic, { ...none, puts: 1, bytesPut: bytes }]);
    }
    this.#unsized = [];
  }

  /** What was counted since the last call. */
  take(): Traffic {
    this.size();
    const taken = this.#traffic;
    this.#traffic = none;
    return taken;
  }

  #countResults<Source extends IDBObjectStore | IDBIndex>(source: Source, method: keyof Source & string, unit: "rowsRead" | "keysRead"): void {
    wrap(source, method, (_self, _args, request) => {
      if (!(request instanceof IDBRequest)) return;
      request.addEventListener("success", () => {
        const { result }: { result: unknown } = request;
        const count = Array.isArray(result) && method.startsWith("getAll") ? result.length : result === undefined || result === null ? 0 : 1;
        this.#traffic = sumOf([this.#traffic, { ...none, [unit]: count }]);
      });
    });
  }
}
