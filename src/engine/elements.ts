import type { ContentKey, Sealed } from "../idb/index.ts";
import { seal, unseal } from "./seal.ts";
import { refuse, wellFormed, whole } from "./well-formed.ts";

/** Rows stay below 64 KiB, where engines begin to keep values in separate files, unless one element is larger. */
const ROW_BYTES = 60_000;

/** Elements from a position on, as rows hold them. */
export function inRows(elements: readonly Uint8Array[], position: number): [position: number, elements: Uint8Array[]][] {
  const rows: [number, Uint8Array[]][] = [];
  let size = 0;
  for (const [index, element] of elements.entries()) {
    size += element.length;
    if (index > 0 && size <= ROW_BYTES) rows.at(-1)![1].push(element);
    else {
      rows.push([position + index, [element]]);
      size = element.length;
    }
  }
  return rows;
}

/** In the place of an element that was given back, in a row that holds others. It is none itself: those can be empty too. */
export const GONE = new Uint8Array();

/** What no length of an element is written as. */
const NO_LENGTH = [0x80, 0x00] as const;

/** The rows of a log are elements one after another, each behind its length as a base-128 number. */
export function packElements(key: ContentKey, elements: readonly Uint8Array[]): Sealed {
  const body: Uint8Array = new Uint8Array(sizeOf(elements));
  let at = 0;
  for (const element of elements) {
    if (element === GONE) {
      body.set(NO_LENGTH, at);
      at += NO_LENGTH.length;
      continue;
    }
    let rest = element.length;
    for (; rest > 0x7f; rest >>>= 7) body[at++] = (rest & 0x7f) | 0x80;
    body[at++] = rest;
    body.set(element, at);
    at += element.length;
  }
  return seal(key, body);
}

export function unpackElements(key: ContentKey, sealed: unknown): Uint8Array[] {
  const body = unseal("content", key, sealed);
  return wellFormed("content", key, () => {
    const elements: Uint8Array[] = [];
    whole(key[4]);
    for (let at = 0; at < body.length; ) {
      if (body[at] === NO_LENGTH[0] && body[at + 1] === NO_LENGTH[1]) {
        elements.push(GONE);
        at += NO_LENGTH.length;
        continue;
      }
      let length = 0;
      let shift = 0;
      let byte: number;
      do {
        byte = body[at++] ?? refuse("a length");
        length |= (byte & 0x7f) << shift;
        shift += 7;
      } while (byte > 0x7f && shift < 28);
      if (byte > 0x7f || length > body.length - at) refuse("a length");
      elements.push(body.subarray(at, (at += length)));
    }
    return elements;
  });
}

/** What elements take in a row. */
export function sizeOf(elements: readonly Uint8Array[]): number {
  return elements.reduce((size, element) => size + (element === GONE ? NO_LENGTH.length : element.length + lengthBytes(element.length)), 0);
}

function lengthBytes(length: number): number {
  let bytes = 1;
  for (let rest = length; rest > 0x7f; rest >>>= 7) bytes++;
  return bytes;
}
