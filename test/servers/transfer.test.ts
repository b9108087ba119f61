import { PGlite } from "@electric-sql/pglite";
import { PGLiteSocketServer } from "@electric-sql/pglite-socket";
import { AIMessage, type BaseMessage, HumanMessage } from "@langchain/core/messages";
import { MessagesAnnotation, StateGraph } from "@langchain/langgraph";
import * as checkpoint from "@langchain/langgraph-checkpoint";
import { type BaseCheckpointSaver, MemorySaver } from "@langchain/langgraph-checkpoint";
import { PostgresSaver } from "@langchain/langgraph-checkpoint-postgres";
import { SqliteSaver } from "@langchain/langgraph-checkpoint-sqlite";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import * as own from "../../src/index.ts";
import { withSaver } from "../support/contract.ts";
import { ask, graphOn, viewsOf } from "../support/handed-over.ts";
import { run, snippetsOf } from "../support/snippets.mjs";
import { handsOver } from "../support/hands-over.ts";

const postgresOf = (pool: pg.Pool, schema: string) => new PostgresSaver(pool, undefined, { schema });

const define = it;
const between = (empty: () => Promise<BaseCheckpointSaver>) =>
  handsOver((theme, body) => define(theme, async () => withSaver("worker", async (saver) => body(saver, await empty()))));

describe("A thread that is handed over to Postgres and back", () => {
  let schemas = 0;
  let stop: () => Promise<void>;
  let pool: pg.Pool;

  beforeAll(async () => {
    const db = await PGlite.create();
    const server = new PGLiteSocketServer({ db, host: "127.0.0.1", port: 0 });
    await server.start();
    pool = new pg.Pool({ connectionString: `postgres://postgres:postgres@${server.getServerConn()}/postgres`, max: 1 });
    stop = async () => {
      await pool.end();
      await server.stop();
      await db.close();
    };
  }, 120_000);

  afterAll(() => stop());

  const empty = async () => {
    const saver = postgresOf(pool, `test_${++schemas}`);
    await saver.setup();
    return saver;
  };

  between(empty);

  it("is what the guide shows", async () => {
    const builder = new StateGraph(MessagesAnnotation)
      .addNode("model", ({ messages }) => ({ messages: [new AIMessage(`${messages.length}`)] }))
      .addEdge("__start__", "model")
      .addEdge("model", "__end__");
    const printed: unknown[] = [];
    // Not every release of Node has Web Locks. Here nobody else asks for one.
    vi.stubGlobal("navigator", { locks: { request: (...[, , work]: [string, object, () => unknown]) => work() } });
    const answer = async (request: Request) => (scope["answer"] as (request: Request) => Promise<Response>)(request);
    const scope: Record<string, unknown> = {
      builder,
      console: { log: (text: unknown) => void printed.push(text) },
      mayUse: async () => true,
      HumanMessage,
      process: { env: {} },
      fetch: (_: string, init: RequestInit) => answer(new Request("https://server.test", init)),
      modules: {
        "@langchain/langgraph-checkpoint": checkpoint,
        "@langchain/langgraph-checkpoint-postgres": { PostgresSaver: { fromConnString: () => postgresOf(pool, `guide_${++schemas}`) } },
        "langgraph-checkpoint-indexeddb": own,
      },
    };
    for (const snippet of snippetsOf("docs/hand-over.md")) await run(snippet, scope);
    vi.unstubAllGlobals();
    expect((scope["messages"] as BaseMessage[]).map(({ text }) => text)).toStrictEqual(["hello", "1", "are you still there?", "3"]);
    expect(printed).toStrictEqual(["3 checkpoints handed over"]);
    await (scope["saver"] as own.IndexedDBSaver).close();
  });

  it("keeps branches apart that have the same integers as versions", async () => {
    const [memory, postgres] = [new MemorySaver(), await empty()];
    const [here, there] = [graphOn(memory, "here"), graphOn(postgres, "there")];
    const { channelsOf: channels } = here;
    const thread = { configurable: { thread_id: "thread" } };
    await here.invoke(ask("one"), thread);
    const stop = (await here.getState(thread)).config;
    for (const text of ["left", "right"]) await here.invoke(ask(text), stop);
    await here.invoke(null, thread);
    await own.transferThread(memory, postgres, "thread", { channels });
    expect(await viewsOf(there, postgres, "thread")).toStrictEqual(await viewsOf(here, memory, "thread"));

    await here.invoke(ask("further"), thread);
    await own.transferThread(memory, postgres, "thread", { channels });
    expect(await viewsOf(there, postgres, "thread")).toStrictEqual(await viewsOf(here, memory, "thread"));
    expect(await own.transferThread(memory, postgres, "thread", { channels })).toStrictEqual({ checkpoints: 0, writes: 0 });
  });
});

describe("A thread that is handed over to SQLite and back", () => {
  between(async () => SqliteSaver.fromConnString(":memory:"));
});
