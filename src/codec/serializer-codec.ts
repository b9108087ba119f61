import { asList, type SnapshotType, type ValueCodec } from "./codec.ts";
import { SerializerMismatchError } from "../errors/index.ts";
import { packr } from "../msgpack/index.ts";
import { bytes, list, text, wellFormed } from "./malformed.ts";
import { elementAt, type ElementBytes, type Encoded, Elements, Kind, Shape, SNAPSHOT } from "./encoded.ts";

/** LangGraph's `SerializerProtocol`. */
export interface Serializer {
  dumpsTyped(value: unknown): Promise<[type: string, bytes: Uint8Array]>;
  loadsTyped(type: string, bytes: Uint8Array): Promise<unknown>;
}

/**
 * Gives each item of a list to an application's serializer, so that items are still stored once. An element is what the
 * serializer made of it, as `[type, bytes]`.
 */
export class SerializerCodec implements ValueCodec {
  readonly #serializer: Serializer;
  readonly #snapshots: SnapshotType;

  constructor(serializer: Serializer, snapshots: SnapshotType) {
    this.#serializer = serializer;
    this.#snapshots = snapshots;
  }

  async encode(value: unknown): Promise<Encoded> {
    const snapshot = this.#snapshots.open(value);
    const inner = snapshot === undefined ? value : snapshot.value;
    const list = asList(inner);
    const isArray = list?.shape === Shape.array;
    const dumped = await Promise.all(Array.from(isArray ? list.items : [inner], (item) => this.#serializer.dumpsTyped(item)));
    const elements = new Elements();
    for (const typed of dumped) elements.addContent(Kind.serializer, packr.pack(typed));
    return elements.encoded((isArray ? Shape.array : Shape.single) + (snapshot === undefined ? 0 : SNAPSHOT));
  }

  async decode(elements: ElementBytes, from: number, to: number): Promise<unknown[]> {
    return Promise.all(
      Array.from({ length: to - from }, (_, index) => {
        const element = elementAt(elements, from + index);
        if (element[0] !== Kind.serializer) throw new SerializerMismatchError({ written: "without serde" });
        const [type, dumped] = wellFormed(() => list(packr.unpack(element.subarray(1))));
        return this.#serializer.loadsTyped(text(type), bytes(dumped));
      }),
    );
  }

  assemble(shape: number, items: unknown[]): unknown {
    const value: unknown = shape % SNAPSHOT === Shape.array ? items : items[0];
    return shape >= SNAPSHOT ? this.#snapshots.make(value) : value;
  }
}
