import { type Endpoint, expose, transfer } from "comlink";
import { type Engine, LocalEngine } from "../engine/index.ts";
import { toEnvelope } from "../errors/index.ts";
import { type Answer, buffersOf, type Host, type Method } from "./protocol.ts";

/**
 * Serves the storage engine on `endpoint`: everything a worker of this package does. A worker that runs this module serves
 * by itself; call it to serve on another endpoint, a `MessagePort` say.
 */
export function serve(endpoint: Endpoint): void {
  const engines = new Map<string, Engine>();
  const host: Host = {
    ready: () => true,
    async call(database, method, request) {
      const answer = await answerTo(engineOf(database, method), method, request);
      return transfer(answer, buffersOf(answer));
    },
  };
  expose(host, endpoint);

  function engineOf(database: string, method: Method): Engine {
    const engine = engines.get(database) ?? new LocalEngine(database);
    if (method === "close") engines.delete(database);
    else engines.set(database, engine);
    return engine;
  }
}

async function answerTo(engine: Engine, method: Method, request: unknown): Promise<Answer> {
  try {
    return { value: await (engine[method] as (request: unknown) => Promise<unknown>)(request) };
  } catch (error) {
    return { error: toEnvelope(error) };
  }
}

// Only where this module is a worker's own: importing it anywhere else has no effect.
if ("DedicatedWorkerGlobalScope" in globalThis) serve(globalThis as unknown as Endpoint);
