import { type Endpoint, expose, transfer } from "comlink";
import { type Engine, LocalEngine } from "../engine/index.ts";
import { InternalError, toEnvelope } from "../errors/index.ts";
import { type Counts, noCounts } from "../idb/counts.ts";
import { type Address, type Answer, buffersOf, type Host, METHODS, nameOf } from "./protocol.ts";

/** What a worker can be asked of one database: its engine, and what was built on that. */
interface Service {
  readonly engine: LocalEngine;
  readonly methods: Partial<Record<string, (request: never, counts?: Counts) => Promise<unknown>>>;
}

/** Answers on `endpoint` for the engines of any databases, and for the services that are made over them. */
export function answerOn(endpoint: Endpoint, serviceOver: (engine: Engine) => object): void {
  const open = new Map<string, Service>();
  const host: Host = {
    ready: () => true,
    async call(address, method, request, { isCounted, generation }) {
      const answer = await answerTo(serviceOf(address, method, generation), method, request, isCounted ? noCounts() : undefined);
      return transfer(answer, buffersOf(answer));
    },
  };
  expose(host, endpoint);

  function serviceOf(address: Address, method: string, generation: string | undefined): Service {
    const name = nameOf(address);
    const service = open.get(name) ?? begin(address, generation);
    if (method === "close") open.delete(name);
    else open.set(name, service);
    return service;
  }

  function begin({ database, encryption }: Address, generation: string | undefined): Service {
    const engine = new LocalEngine(database, { ...(encryption === undefined ? {} : { key: encryption.key }), ...(generation === undefined ? {} : { generation }) });
    const bound = Object.fromEntries(METHODS.map((method) => [method, (request: unknown, counts?: Counts) => (engine[method] as Asked)(request, counts)]));
    return { engine, methods: { ...bound, ...serviceOver(engine) } };
  }
}

type Asked = (request: unknown, counts?: Counts) => Promise<unknown>;

async function answerTo({ engine, methods }: Service, method: string, request: unknown, counts: Counts | undefined): Promise<Answer> {
  const identified = () => (engine.generation === undefined ? {} : { generation: engine.generation });
  try {
    const act = Object.hasOwn(methods, method) ? methods[method] : undefined;
    if (act === undefined) throw new InternalError({ reason: `the worker knows no "${method}": it is of another release` });
    const value = await act(request as never, counts);
    return { value, ...(counts === undefined ? {} : { counts }), ...identified() };
  } catch (error) {
    return { error: toEnvelope(error), ...identified() };
  }
}
