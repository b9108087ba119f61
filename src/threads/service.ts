import type { Channels } from "../channels/index.ts";
import { Codec } from "../codec/index.ts";
import type { Counts, Engine, StateReply, StateRequest } from "../engine/index.ts";
import type { CheckpointId } from "../idb/index.ts";
import { opaqueTypes } from "./opaque.ts";
import { Rebuilder } from "./rebuilder.ts";
import { channelsOf, type ChannelSketch, NotHere } from "./sketch.ts";
import { CACHE_BYTES, StateCache } from "./state-cache.ts";
import type { StepRequest } from "./step-request.ts";
import { Stepper } from "./stepper.ts";
import { plainSnapshots, plainTypes } from "./types.ts";

export interface RebuildCall {
  readonly request: StateRequest;
  readonly channels: readonly ChannelSketch[];
}

export interface StepCall {
  readonly request: StepRequest;
  readonly channels: readonly ChannelSketch[];
  /** The version of the state's shape; absent where that is left as it is. */
  readonly schema?: number;
}

/** `false`: it needs a function of the application that is not here. */
export type Unless<T> = { readonly done: T } | { readonly done: false };

/** What a worker does besides running the engine: rebuilding values and making steps, where it has the reducers. */
export interface ThreadService {
  rebuild(call: RebuildCall, counts?: Counts): Promise<Unless<StateReply>>;
  step(call: StepCall): Promise<Unless<CheckpointId>>;
}

/** Values pass through as they are stored: the application's classes and LangChain's are not needed, nor here. */
export function threadService(engine: Engine, known: () => Channels): ThreadService {
  const codec = new Codec(plainTypes, plainSnapshots, opaqueTypes);
  const rebuilder = new Rebuilder(engine, codec, new StateCache(CACHE_BYTES));
  return {
    rebuild: ({ request, channels }, counts) => here(() => rebuilder.state(request, channelsOf(channels, known()), counts)),
    step: ({ request, channels, schema }) =>
      here(() => new Stepper(rebuilder, channelsOf(channels, known()), schema === undefined ? undefined : { version: schema, migrations: {} }).append(request)),
  };
}

async function here<T>(work: () => Promise<T>): Promise<Unless<T>> {
  try {
    return { done: await work() };
  } catch (error) {
    if (error instanceof NotHere) return { done: false };
    throw error;
  }
}
