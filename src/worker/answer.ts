import { type Endpoint, expose, transfer } from "comlink";
import { type Engine, LocalEngine } from "../engine/index.ts";
import { InternalError, toEnvelope } from "../errors/index.ts";
import { type Counts, noCounts } from "../idb/counts.ts";
import { type Address, type Answer, buffersOf, type Host, METHODS, nameOf } from "./protocol.ts";

/** What a worker can be asked of one database: its engine, and what was built on that. */
type Service = Partial<Record<string, (request: never, counts?: Counts) => Promise<unknown>>>;

/** Answers on `endpoint` for the engines of any databases, and for the services that are made over them. */
export function answerOn(endpoint: Endpoint, serviceOver: (engine: Engine) => object): void {
  const open = new Map<string, Service>();
  const host: Host = {
    ready: () => true,
    async call(address, method, request, isCounted) {
      const answer = await answerTo(serviceOf(address, method), method, request, isCounted ? noCounts() : undefined);
      return transfer(answer, buffersOf(answer));
    },
  };
  expose(host, endpoint);

  function serviceOf(address: Address, method: string): Service {
    const name = nameOf(address);
    const service = open.get(name) ?? begin(address);
    if (method === "close") open.delete(name);
    else open.set(name, service);
    return service;
  }

  function begin({ database, encryption }: Address): Service {
    const engine = new LocalEngine(database, encryption?.key);
    const bound = Object.fromEntries(METHODS.map((method) => [method, (request: unknown, counts?: Counts) => (engine[method] as Asked)(request, counts)]));
    return { ...bound, ...serviceOver(engine) };
  }
}

type Asked = (request: unknown, counts?: Counts) => Promise<unknown>;

async function answerTo(service: Service, method: string, request: unknown, counts: Counts | undefined): Promise<Answer> {
  try {
    const act = Object.hasOwn(service, method) ? service[method] : undefined;
    if (act === undefined) throw new InternalError({ reason: `the worker knows no "${method}": it is of another release` });
    const value = await act(request as never, counts);
    return counts === undefined ? { value } : { value, counts };
  } catch (error) {
    return { error: toEnvelope(error) };
  }
}
