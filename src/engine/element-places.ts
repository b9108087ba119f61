import type { Piece } from "./ref.ts";

interface Placed extends Piece {
  /** Of its first element in the file. */
  readonly number: number;
}

/** Where the elements of a channel that have numbers in a file are in its logs. */
export class ElementPlaces {
  readonly #placed: Placed[] = [];
  #count = 0;

  /** The next numbers are of these elements. */
  add({ log, start, length }: Piece): void {
    const last = this.#placed.at(-1);
    if (last !== undefined && last.log === log && last.start + last.length === start) this.#placed[this.#placed.length - 1] = { ...last, length: last.length + length };
    else this.#placed.push({ log, start, length, number: this.#count });
    this.#count += length;
  }

  /** The elements of stretches of numbers, `[start, length, …]`. */
  of(stretches: readonly number[]): Piece[] {
    const pieces: Piece[] = [];
    for (let at = 0; at < stretches.length; at += 2) {
      const [start, length] = [stretches[at]!, stretches[at + 1]!];
      for (let number = start, index = this.#indexOf(start); number < start + length; index++) {
        const placed = this.#placed[index]!;
        const until = Math.min(placed.number + placed.length, start + length);
        join(pieces, { log: placed.log, start: placed.start + number - placed.number, length: until - number });
        number = until;
      }
    }
    return pieces;
  }

  #indexOf(number: number): number {
    let [low, high] = [0, this.#placed.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const { number: first, length } = this.#placed[middle]!;
      if (first + length <= number) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function join(pieces: Piece[], piece: Piece): void {
  const last = pieces.at(-1);
  if (last !== undefined && last.log === piece.log && last.start + last.length === piece.start) {
    pieces[pieces.length - 1] = { ...last, length: last.length + piece.length };
  } else {
    pieces.push(piece);
  }
}
