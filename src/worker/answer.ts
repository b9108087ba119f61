import { type Endpoint, expose, transfer } from "comlink";
import { type Engine, LocalEngine } from "../engine/index.ts";
import { InternalError, toEnvelope } from "../errors/index.ts";
import { type Answer, buffersOf, type Host, METHODS } from "./protocol.ts";

/** What a worker can be asked of one database: its engine, and what was built on that. */
interface Service {
  readonly engine: LocalEngine;
  readonly methods: Partial<Record<string, (request: never) => Promise<unknown>>>;
}

/** Answers on `endpoint` for the engines of any databases, and for the services that are made over them. */
export function answerOn(endpoint: Endpoint, serviceOver: (engine: Engine) => object): void {
  const open = new Map<string, Service>();
  const host: Host = {
    ready: () => true,
    async call(database, method, request, generation) {
      const answer = await answerTo(serviceOf(database, method, generation), method, request);
      return transfer(answer, buffersOf(answer));
    },
  };
  expose(host, endpoint);

  function serviceOf(database: string, method: string, generation: string | undefined): Service {
    const service = open.get(database) ?? begin(database, generation);
    if (method === "close") open.delete(database);
    else open.set(database, service);
    return service;
  }

  function begin(database: string, generation: string | undefined): Service {
    const engine = new LocalEngine(database, generation);
    const bound = Object.fromEntries(METHODS.map((method) => [method, (request: unknown) => (engine[method] as (request: unknown) => Promise<unknown>)(request)]));
    return { engine, methods: { ...bound, ...serviceOver(engine) } };
  }
}

async function answerTo({ engine, methods }: Service, method: string, request: unknown): Promise<Answer> {
  const identified = () => (engine.generation === undefined ? {} : { generation: engine.generation });
  try {
    const act = Object.hasOwn(methods, method) ? methods[method] : undefined;
    if (act === undefined) throw new InternalError({ reason: `the worker knows no "${method}": it is of another release` });
    return { value: await act(request as never), ...identified() };
  } catch (error) {
    return { error: toEnvelope(error), ...identified() };
  }
}
