import { Dexie, type EntityTable } from "dexie";
import { readRoom } from "./room.ts";

/** Nobody's disk is filled with more than this. */
export const MOST = 300_000_000;
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
 * Writes until the browser refuses: then what the thread stores next fails as it would on a full disk. Resolves to what was
 * written, or to nothing if there is too much room for that.
 */
export async function fillRoom(onProgress: (written: number) => void): Promise<number | undefined> {
  const { usage, quota } = await readRoom();
  if (quota - usage > MOST) return undefined;
  const filler = new Filler();
  let written = 0;
  try {
    for (let size = LARGEST; size >= SMALLEST; ) {
      try {
        await filler.blocks.add({ bytes: noise(size) });
        written += size;
        onProgress(written);
        if (written > MOST) break;
      } catch {
        size = Math.floor(size / 4);
      }
    }
  } finally {
    filler.close();
  }
  return written;
}

/** Bytes that no engine makes smaller. */
function noise(size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  for (let at = 0; at < size; at += 65_536) crypto.getRandomValues(bytes.subarray(at, Math.min(size, at + 65_536)));
  return bytes;
}
