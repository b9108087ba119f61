/** What the browser says of this site's space. In bytes, all of the site's storage together, and only about: browsers blur it. */
export interface StorageEstimate {
  readonly usage: number;
  readonly quota: number;
  /** Whether the browser keeps the site's data until the user deletes it. Otherwise it may delete it when it needs space. */
  readonly isPersisted: boolean;
}

export interface StorageNotice extends StorageEstimate {
  /** Less than a tenth of the quota is left, or less than 32 MiB. */
  readonly isLow: boolean;
}

const LOW_SHARE = 0.1;
const LOW_BYTES = 32 * 1024 * 1024;

/** An estimate can take tens of milliseconds of the browser's time. */
const PAUSE_MS = 60_000;

/** @returns undefined where the browser does not say */
export async function estimate(): Promise<StorageEstimate | undefined> {
  const storage = storageOf();
  try {
    const [found, isPersisted] = await Promise.all([storage?.estimate?.(), storage?.persisted?.()]);
    if (found?.usage === undefined || found.quota === undefined) return undefined;
    return { usage: found.usage, quota: found.quota, isPersisted: isPersisted === true };
  } catch {
    return undefined; // A frame without an origin of its own has no estimate.
  }
}

/** @returns whether the data is kept; false also where a browser cannot be asked */
export async function persist(): Promise<boolean> {
  try {
    return (await storageOf()?.persist?.()) === true;
  } catch {
    return false;
  }
}

/** Absent in WebKitGTK, and in part in others. */
function storageOf(): Partial<StorageManager> | undefined {
  return (globalThis.navigator as Partial<Navigator> | undefined)?.storage;
}

/** Looks after the space, seldom, and says when it becomes low or no longer is. */
export class Space {
  readonly #tell: (notice: StorageNotice) => void;
  #isLow = false;
  #next = 0;

  constructor(tell: (notice: StorageNotice) => void) {
    this.#tell = tell;
  }

  /** After a write: looks if the last look was a minute ago or more. Nobody waits for it. */
  lookNowAndThen(): void {
    if (Date.now() >= this.#next) void this.look();
  }

  async look(): Promise<void> {
    this.#next = Date.now() + PAUSE_MS;
    const found = await estimate();
    if (found === undefined) return;
    const left = found.quota - found.usage;
    const isLow = left < LOW_BYTES || left < LOW_SHARE * found.quota;
    if (isLow === this.#isLow) return;
    this.#isLow = isLow;
    this.#tell({ ...found, isLow });
  }
}
