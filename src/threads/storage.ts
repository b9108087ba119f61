import type { Channels, Schema } from "../channels/index.ts";
import { Codec, type ValueCodec } from "../codec/index.ts";
import type { Durability, Engine, StateReply, StateRequest } from "../engine/index.ts";
import type { CheckpointId } from "../idb/index.ts";
import type { Lease } from "../worker/index.ts";
import { Rebuilder } from "./rebuilder.ts";
import { CACHE_BYTES, type RebuildCall, type StepCall, type Unless } from "./service.ts";
import { sketchesOf } from "./sketch.ts";
import { StateCache } from "./state-cache.ts";
import { copyOf, Stepper, type StepRequest } from "./stepper.ts";
import type { Turns } from "./turns.ts";

export interface StorageOptions {
  /** The database. */
  readonly name: string;
  readonly codec: ValueCodec;
  readonly channels: Channels;
  readonly schema: Schema;
  readonly durability: Durability;
  readonly turns: Turns;
  /** The use of the engine, begun with the first call. Throws once it has ended. */
  readonly lease: () => Lease;
}

/** A database with its codec and channels. Decides where values are rebuilt: in the worker if it can, else here. */
export class Storage {
  readonly options: StorageOptions;
  readonly #cache = new StateCache(CACHE_BYTES);

  constructor(options: StorageOptions) {
    this.options = options;
  }

  get engine(): Engine {
    return this.options.lease().engine;
  }

  state(request: StateRequest): Promise<StateReply> {
    const { channels } = this.options;
    const call: RebuildCall = { request, channels: sketchesOf(channels) };
    return this.#beside("rebuild", call, (rebuilder) => rebuilder.state(request, channels));
  }

  append(request: StepRequest): Promise<CheckpointId> {
    const { channels, schema } = this.options;
    const call: StepCall = { request: { ...request, writes: copyOf(request.writes) }, channels: sketchesOf(channels), schema: schema.version };
    return this.#beside("step", call, (rebuilder) => new Stepper(rebuilder, channels, schema).append(request));
  }

  async #beside<T>(method: string, call: object, orHere: (rebuilder: Rebuilder) => Promise<T>): Promise<T> {
    const { engine, ask } = this.options.lease();
    // What an application's serializer makes only the application can read.
    if (ask !== undefined && this.options.codec instanceof Codec) {
      const answer = (await ask(method, call)) as Unless<T>;
      if (answer.done !== false) return answer.done;
    }
    return orHere(new Rebuilder(engine, this.options.codec, this.#cache));
  }
}
