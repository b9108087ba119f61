import { DamagedFileError, UnsupportedFileError } from "../errors/index.ts";
import { crc32 } from "./crc32.ts";
import { deflate, inflate } from "./deflate.ts";
import { Malformed } from "./fields.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** What a file begins with: not text, and changed by whatever would take it for text. */
const SIGNATURE = Uint8Array.of(0x89, 0x4c, 0x47, 0x43, 0x0d, 0x0a, 0x1a, 0x0a);

/** 1: the first format. */
const VERSION = 1;

/** The signature, and the version in two bytes, little-endian. */
const HEADER_BYTES = SIGNATURE.length + 2;

/** In front of a block: how many bytes it is packed, and unpacked, four bytes each, little-endian. Behind it: a checksum of four. */
const FRAME_BYTES = 8;
const CHECKSUM_BYTES = 4;

/** Of one block, unpacked: more than the largest element takes. */
const BLOCK_LIMIT = 256 * 1024 * 1024;
const PACKED_LIMIT = BLOCK_LIMIT + 1024 * 1024;

/**
 * A file is a header and blocks; a block of no bytes is the last. The checksum behind a block is the CRC-32 of all that the file
 * has before it, other checksums left out: so a block that is changed, missing or in another place is noticed by the next one at the latest.
 */
export class BlockWriter {
  #checksum = 0;
  #begun = false;

  /** The bytes for the file: of the first block, with the header. */
  async block(payload: Bytes): Promise<Bytes> {
    const packed = payload.length === 0 ? payload : await deflate(payload);
    const header = this.#begun ? 0 : HEADER_BYTES;
    const bytes = new Uint8Array(header + FRAME_BYTES + packed.length + CHECKSUM_BYTES);
    const view = new DataView(bytes.buffer);
    if (!this.#begun) {
      bytes.set(SIGNATURE);
      view.setUint16(SIGNATURE.length, VERSION, true);
      this.#begun = true;
    }
    view.setUint32(header, packed.length, true);
    view.setUint32(header + 4, payload.length, true);
    bytes.set(packed, header + FRAME_BYTES);
    const end = bytes.length - CHECKSUM_BYTES;
    this.#checksum = crc32(bytes.subarray(0, end), this.#checksum);
    view.setUint32(end, this.#checksum, true);
    return bytes;
  }
}

/** The reverse, for a file that comes in parts of any size. */
export class BlockReader {
  readonly #parts: Bytes[] = [];
  #waiting = 0;
  #checksum = 0;
  #isBegun = false;
  #isOver = false;
  /** How far into the file all is well. */
  #at = 0;

  /**
   * The blocks that are complete with these bytes, unpacked.
   *
   * @throws DamagedFileError, UnsupportedFileError
   */
  async *take(bytes: Bytes): AsyncGenerator<Bytes> {
    this.#parts.push(bytes);
    this.#waiting += bytes.length;
    if (!this.#isBegun && !this.#begin()) return;
    while (!this.#isOver && this.#waiting >= FRAME_BYTES) {
      const frame = new DataView(this.#peek(FRAME_BYTES).buffer);
      const [packed, unpacked] = [frame.getUint32(0, true), frame.getUint32(4, true)];
      if (packed > PACKED_LIMIT || unpacked > BLOCK_LIMIT) throw this.damaged("a block says that it is larger than any can be");
      if (this.#waiting < FRAME_BYTES + packed + CHECKSUM_BYTES) return;
      const block = this.#check(FRAME_BYTES + packed);
      this.#isOver = packed === 0;
      if (!this.#isOver) yield await this.#unpack(block.subarray(FRAME_BYTES), unpacked);
      else if (unpacked > 0) throw this.damaged("the last block says that it holds something");
    }
    if (this.#isOver && this.#waiting > 0) throw this.damaged("something follows the last block");
  }

  /** @throws DamagedFileError if that was not all */
  end(): void {
    if (!this.#isOver) throw this.damaged("it ends too early");
  }

  damaged(reason: string, cause?: unknown): DamagedFileError {
    return new DamagedFileError({ at: this.#at, reason }, cause === undefined ? {} : { cause });
  }

  async #unpack(packed: Bytes, length: number): Promise<Bytes> {
    try {
      return await inflate(packed, length);
    } catch (error) {
      throw error instanceof Malformed ? this.damaged(error.message, error) : error;
    }
  }

  #begin(): boolean {
    const begin = this.#peek(Math.min(HEADER_BYTES, this.#waiting));
    if (begin.some((byte, at) => at < SIGNATURE.length && byte !== SIGNATURE[at])) throw new UnsupportedFileError({ reason: "it is no export of this package" });
    if (begin.length < HEADER_BYTES) return false;
    const version = new DataView(begin.buffer).getUint16(SIGNATURE.length, true);
    if (version !== VERSION) throw new UnsupportedFileError({ reason: `its format is ${version}, and this release of the package reads ${VERSION}` });
    this.#advance(HEADER_BYTES);
    this.#checksum = crc32(begin);
    this.#isBegun = true;
    return true;
  }

  /** The bytes of a block, once their checksum is right. */
  #check(length: number): Bytes {
    const bytes = this.#peek(length + CHECKSUM_BYTES);
    const checksum = crc32(bytes.subarray(0, length), this.#checksum);
    if (new DataView(bytes.buffer).getUint32(length, true) !== checksum) throw this.damaged("a checksum is wrong");
    this.#checksum = checksum;
    this.#advance(bytes.length);
    return bytes.subarray(0, length);
  }

  /** So many of the bytes that wait, as bytes of their own. */
  #peek(length: number): Bytes {
    const bytes = new Uint8Array(length);
    let at = 0;
    for (const part of this.#parts) {
      if (at === length) break;
      bytes.set(part.subarray(0, length - at), at);
      at += Math.min(part.length, length - at);
    }
    return bytes;
  }

  #advance(length: number): void {
    this.#at += length;
    this.#waiting -= length;
    let left = length;
    let whole = 0;
    for (; whole < this.#parts.length && this.#parts[whole]!.length <= left; whole++) left -= this.#parts[whole]!.length;
    this.#parts.splice(0, whole);
    if (left > 0) this.#parts[0] = this.#parts[0]!.subarray(left);
  }
}
