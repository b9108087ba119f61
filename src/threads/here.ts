import type { Channels, Schema } from "../channels/index.ts";
import type { ValueCodec } from "../codec/index.ts";
import type { Counts, Engine, StateReply, StateRequest } from "../engine/index.ts";
import type { CheckpointId } from "../idb/index.ts";
import { Rebuilder } from "./rebuilder.ts";
import { CACHE_BYTES, StateCache } from "./state-cache.ts";
import type { StepRequest } from "./step-request.ts";
import { Stepper } from "./stepper.ts";

/** Rebuilding values and making steps in this realm: with the application's own reducers, where a worker does not have them. */
export class Here {
  readonly #codec: ValueCodec;
  readonly #channels: Channels;
  readonly #schema: Schema | undefined;
  readonly #cache = new StateCache(CACHE_BYTES);

  constructor(codec: ValueCodec, channels: Channels, schema: Schema | undefined) {
    this.#codec = codec;
    this.#channels = channels;
    this.#schema = schema;
  }

  state(engine: Engine, request: StateRequest, counts?: Counts): Promise<StateReply> {
    return this.#over(engine).state(request, this.#channels, counts);
  }

  append(engine: Engine, request: StepRequest): Promise<CheckpointId> {
    return new Stepper(this.#over(engine), this.#channels, this.#schema).append(request);
  }

  #over(engine: Engine): Rebuilder {
    return new Rebuilder(engine, this.#codec, this.#cache);
  }
}
