import type { Endpoint } from "comlink";
import type { Channels } from "../channels/index.ts";
import { threadService } from "../threads/service.ts";
import { answerOn } from "./answer.ts";

export interface ServeOptions {
  /**
   * The application's channels, by name, as the thread store has them: with them values are rebuilt in the worker also by
   * reducers of the application. Default: none, and then only the package's own reducers run here.
   */
  readonly channels?: Channels;
  /** Where to serve. Default: the worker that this module is loaded in. */
  readonly endpoint?: Endpoint;
}

let own: Channels = {};

/**
 * Adds an application's channels to the worker, which serves by itself where this module is loaded; or serves everything that a
 * worker of this package does on another endpoint, a `MessagePort` say.
 *
 * @example
 * ```ts
 * import { serve } from "langgraph-checkpoint-indexeddb/worker";
 * import { channels } from "./channels.ts";
 *
 * serve({ channels });
 * ```
 */
export function serve({ channels = {}, endpoint }: ServeOptions): void {
  if (endpoint === undefined) own = channels;
  else answerOn(endpoint, (engine) => threadService(engine, () => channels));
}

// Only where this module is a worker's own: importing it anywhere else has no effect.
if ("DedicatedWorkerGlobalScope" in globalThis) {
  answerOn(globalThis as unknown as Endpoint, (engine) => threadService(engine, () => own));
}
