import { ClosedError } from "../errors/index.ts";
import { Export } from "./export.ts";
import { Import, type ImportStorage } from "./import.ts";
import type { BeginExportRequest, BeginImportRequest, ExportReply, ImportedThread, ImportReply, ImportRequest, TransferRequest } from "./transfer-types.ts";
import type { Durability } from "./types.ts";

/** The exports and imports that are under way. */
export class Transfers {
  readonly #storage: (durability: Durability) => ImportStorage;
  readonly #exports = new Map<string, Export>();
  readonly #imports = new Map<string, Import>();

  constructor(storage: (durability: Durability) => ImportStorage) {
    this.#storage = storage;
  }

  async beginExport({ transfer, threads }: BeginExportRequest): Promise<void> {
    this.#exports.set(transfer, await Export.begin(this.#storage("relaxed").read, threads));
  }

  export({ transfer }: TransferRequest): Promise<ExportReply> {
    return underWay(this.#exports, transfer).next();
  }

  async beginImport(request: BeginImportRequest): Promise<void> {
    this.#imports.set(request.transfer, await Import.begin(this.#storage(request.durability), request));
  }

  import(request: ImportRequest): Promise<ImportReply> {
    return underWay(this.#imports, request.transfer).take(request);
  }

  finishImport({ transfer, isTrial }: TransferRequest & { readonly isTrial: boolean }): Promise<readonly ImportedThread[]> {
    return underWay(this.#imports, transfer).finish(isTrial);
  }

  async endTransfer({ transfer }: TransferRequest): Promise<void> {
    this.#exports.delete(transfer);
    const running = this.#imports.get(transfer);
    this.#imports.delete(transfer);
    await running?.cancel();
  }

  async close(): Promise<void> {
    for (const transfer of [...this.#exports.keys(), ...this.#imports.keys()]) await this.endTransfer({ transfer }).catch(() => undefined); // The next import finds what is left.
  }
}

function underWay<T>(transfers: ReadonlyMap<string, T>, transfer: string): T {
  const found = transfers.get(transfer);
  if (found === undefined) throw new ClosedError({});
  return found;
}

