import type { Reading } from "../idb/index.ts";
import { hash } from "./hash.ts";
import { type Log, sameBytes } from "./log.ts";

/** Knows of the elements that were added to a log where each is, without holding any: by hashes, and then by a look into the log. */
export class SeenElements {
  readonly #byHash = new Map<number, number[]>();

  async find(tx: Reading, log: Log, element: Uint8Array): Promise<number | undefined> {
    for (const position of this.#byHash.get(hash(element, 0)) ?? []) {
      await log.fetch(tx, position, position + 1);
      if (sameBytes(log.at(position), element)) return position;
    }
    return undefined;
  }

  add(element: Uint8Array, position: number): number {
    const digest = hash(element, 0);
    const positions = this.#byHash.get(digest);
    if (positions === undefined) this.#byHash.set(digest, [position]);
    else positions.push(position);
    return position;
  }
}
