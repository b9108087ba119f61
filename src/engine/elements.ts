import type { ContentKey, Sealed } from "../idb/index.ts";
import { seal, unseal } from "./seal.ts";
import { refuse, wellFormed, whole } from "./well-formed.ts";

/** The rows of a log are elements one after another, each behind its length as a base-128 number. */
export function packElements(key: ContentKey, elements: readonly Uint8Array[]): Sealed {
  const body: Uint8Array = new Uint8Array(elements.reduce((size, { length }) => size + length + lengthBytes(length), 0));
  let at = 0;
  for (const element of elements) {
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

function lengthBytes(length: number): number {
  let bytes = 1;
  for (let rest = length; rest > 0x7f; rest >>>= 7) bytes++;
  return bytes;
}
