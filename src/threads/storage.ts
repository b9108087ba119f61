import type { Channels, Schema } from "../channels/index.ts";
import type { ValueCodec } from "../codec/index.ts";
import type { Counts, Durability, Engine, StateReply, StateRequest } from "../engine/index.ts";
import { WorkerStartError } from "../errors/index.ts";
import type { CheckpointId } from "../idb/index.ts";
import type { Lease } from "../worker/index.ts";
import type { Events } from "./events.ts";
import type { Here } from "./here.ts";
import type { RebuildCall, StepCall, Unless } from "./service.ts";
import { sketchesOf } from "./sketch.ts";
import { copyOf, type StepRequest } from "./step-request.ts";
import type { Turns } from "./turns.ts";

export interface StorageOptions {
  /** The database. */
  readonly name: string;
  readonly codec: ValueCodec;
  /** The codec is this package's own, which the worker has too. What an application's serializer makes only the application can read. */
  readonly isPortable: boolean;
  readonly channels: Channels;
  /** Absent: states are left in the shape that they have. */
  readonly schema?: Schema;
  readonly durability: Durability;
  readonly turns: Turns;
  readonly events: Events;
  /** The use of the engine, begun with the first call. Throws once it has ended. */
  readonly lease: () => Lease;
}

/** A database with its codec and channels. Decides where values are rebuilt: in the worker if it can, else here. */
export class Storage {
  readonly options: StorageOptions;
  #here: Promise<Here> | undefined;

  constructor(options: StorageOptions) {
    this.options = options;
  }

  get engine(): Engine {
    return this.options.lease().engine;
  }

  state(request: StateRequest, counts?: Counts): Promise<StateReply> {
    const call: RebuildCall = { request, channels: sketchesOf(this.options.channels) };
    return this.#beside("rebuild", call, (here, engine) => here.state(engine, request, counts), counts);
  }

  append(request: StepRequest): Promise<CheckpointId> {
    const { channels, schema } = this.options;
    const call: StepCall = { request: { ...request, writes: copyOf(request.writes) }, channels: sketchesOf(channels), ...(schema === undefined ? {} : { schema: schema.version }) };
    return this.#beside("step", call, (here, engine) => here.append(engine, request));
  }

  async #beside<T>(method: string, call: object, orHere: (here: Here, engine: Engine) => Promise<T>, counts?: Counts): Promise<T> {
    const { engine, ask } = this.options.lease();
    if (ask !== undefined && this.options.isPortable) {
      const answer = (await ask(method, call, counts)) as Unless<T>;
      if (answer.done !== false) return answer.done;
    }
    return orHere(await this.#load(), engine);
  }

  /** Its code is loaded when it is needed. */
  #load(): Promise<Here> {
    const { codec, channels, schema } = this.options;
    this.#here ??= import("./here.ts").then(
      (module) => new module.Here(codec, channels, schema),
      (cause: unknown) => {
        this.#here = undefined;
        throw new WorkerStartError({ reason: "the code that rebuilds values could not be loaded" }, { cause });
      },
    );
    return this.#here;
  }
}
