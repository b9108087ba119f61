import { Malformed } from "./fields.ts";

type Bytes = Uint8Array<ArrayBuffer>;

export async function deflate(bytes: Bytes): Promise<Bytes> {
  const parts: Bytes[] = [];
  await through(new CompressionStream("deflate-raw"), bytes, (part) => parts.push(part));
  return joined(parts, parts.reduce((size, { length }) => size + length, 0));
}

/** @throws Malformed for bytes that do not unpack to just so many */
export async function inflate(packed: Bytes, length: number): Promise<Bytes> {
  const parts: Bytes[] = [];
  let size = 0;
  try {
    await through(new DecompressionStream("deflate-raw"), packed, (part) => {
      size += part.length;
      if (size > length) throw new Malformed("a block unpacks to more than it says");
      parts.push(part);
    });
  } catch (cause) {
    throw cause instanceof Malformed ? cause : new Malformed("a block cannot be unpacked", { cause });
  }
  if (size < length) throw new Malformed("a block unpacks to less than it says");
  return joined(parts, size);
}

async function through(stream: CompressionStream | DecompressionStream, bytes: Bytes, take: (part: Bytes) => void): Promise<void> {
  const reader = (new Blob([bytes]).stream().pipeThrough(stream) as ReadableStream<Bytes>).getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      take(value);
    }
  } catch (error) {
    await reader.cancel().catch(() => undefined);
    throw error;
  }
}

function joined(parts: readonly Bytes[], size: number): Bytes {
  const whole = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
