import { Dexie, type EntityTable } from "dexie";

/** Nobody's disk is filled with more than this. What the browser says of its quota cannot be gone by: some always say the same. */
export const MOST = 100_000_000;
const LARGEST = 8_000_000;
const SMALLEST = 4_000;

class Filler extends Dexie {
  declare blocks: EntityTable<{ id: number; bytes: Uint8Array }, "id">;

  constructor() {
    super("demo-filler");
    this.version(1).stores({ blocks: "++id" });
  }
}

export const freeRoom = (): Promise<void> => Dexie.delete("demo-filler");

/**
 * Writes until the browser refuses: then what the thread stores next fails as it would on a full disk. Resolves to whether it
 * did; if there is too much room for that, it is free again.
 */
export async function fillRoom(onProgress: (written: number) => void): Promise<boolean> {
  const filler = new Filler();
  let written = 0;
  for (let size = LARGEST; size >= SMALLEST && written < MOST; ) {
    try {
      await filler.blocks.add({ bytes: noise(size) });
      written += size;
      onProgress(written);
    } catch {
      size = Math.floor(size / 4);
    }
  }
  filler.close();
  if (written < MOST) return true;
  await freeRoom();
  return false;
}

/** Bytes that no engine makes smaller. */
function noise(size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  for (let at = 0; at < size; at += 65_536) crypto.getRandomValues(bytes.subarray(at, Math.min(size, at + 65_536)));
  return bytes;
}
