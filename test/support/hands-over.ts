import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";
import { expect } from "vitest";
import { transferThread } from "../../src/index.ts";
import { listed } from "./checkpoints.ts";
import { ask, type Graph, graphOn, viewsOf } from "./handed-over.ts";

const config = { configurable: { thread_id: "thread" } };

interface Ends {
  readonly here: BaseCheckpointSaver;
  readonly there: BaseCheckpointSaver;
  readonly graphs: { readonly here: Graph; readonly there: Graph };
}

/** The specification of a transfer between two savers: `define` makes a test that has them empty. */
export function handsOver(define: (theme: string, body: (here: BaseCheckpointSaver, there: BaseCheckpointSaver) => Promise<void>) => void): void {
  const { channelsOf: channels } = graphOn(false, "");
  const it = (theme: string, body: (ends: Ends) => Promise<void>) =>
    define(theme, (here, there) => body({ here, there, graphs: { here: graphOn(here, "here"), there: graphOn(there, "there") } }));

  it("goes on there with the same graph, and comes back with the new steps", async ({ here, there, graphs }) => {
    await graphs.here.invoke(ask("one"), config);
    await transferThread(here, there, "thread", { channels });
    expect(await viewsOf(graphs.there, there, "thread")).toStrictEqual(await viewsOf(graphs.here, here, "thread"));

    await graphs.there.invoke(null, config);
    const left = await graphs.there.invoke(ask("two"), config);
    await transferThread(there, here, "thread", { channels });
    expect((await graphs.here.getState(config)).values).toMatchObject({ plain: left["plain"] });
    expect(await viewsOf(graphs.here, here, "thread")).toStrictEqual(await viewsOf(graphs.there, there, "thread"));

    const end = await graphs.here.invoke(null, config);
    expect(end["plain"]).toHaveLength(8);
    expect([...end["delta"]].sort()).toStrictEqual([...end["plain"]].sort());
    for (const [from, to] of [[here, there], [there, here]] as const) await transferThread(from, to, "thread", { channels });
    for (const [from, to] of [[here, there], [there, here]] as const) expect(await transferThread(from, to, "thread", { channels })).toStrictEqual({ checkpoints: 0, writes: 0 });
    expect(await viewsOf(graphs.there, there, "thread")).toStrictEqual(await viewsOf(graphs.here, here, "thread"));
  });

  it("has both branches on both sides when it went on on both", async ({ here, there, graphs }) => {
    await graphs.here.invoke(ask("one"), config);
    await transferThread(here, there, "thread", { channels });
    for (const graph of [graphs.here, graphs.there]) {
      await graph.invoke(null, config);
      await graph.invoke(ask("two"), config);
    }
    const before = new Map([...(await viewsOf(graphs.here, here, "thread")), ...(await viewsOf(graphs.there, there, "thread"))]);
    await transferThread(here, there, "thread", { channels });
    await transferThread(there, here, "thread", { channels });
    expect(await viewsOf(graphs.here, here, "thread")).toEqual(before);
    expect(await viewsOf(graphs.there, there, "thread")).toEqual(before);
    for (const [from, to] of [[here, there], [there, here]] as const) expect(await transferThread(from, to, "thread", { channels })).toStrictEqual({ checkpoints: 0, writes: 0 });
  });

  it("keeps forks from an older step apart, and their writes", async ({ here, there, graphs }) => {
    await graphs.here.invoke(ask("one"), config);
    const stop = (await graphs.here.getState(config)).config;
    await graphs.here.invoke(null, config);
    await graphs.here.updateState(stop, ask("edited"), "answer");
    await graphs.here.invoke(ask("instead"), stop);
    await transferThread(here, there, "thread", { channels });
    const views = await viewsOf(graphs.here, here, "thread");
    expect(await viewsOf(graphs.there, there, "thread")).toStrictEqual(views);

    await graphs.there.updateState(stop, ask("edited there"), "answer");
    await graphs.there.invoke(null, config);
    await transferThread(there, here, "thread", { channels });
    expect(await viewsOf(graphs.here, here, "thread")).toEqual(await viewsOf(graphs.there, there, "thread"));
    expect(await viewsOf(graphs.here, here, "thread")).toEqual(new Map([...(await viewsOf(graphs.here, here, "thread")), ...views]));
  });

  it("keeps apart what both sides made of a branch that one brought to the other, where it waits", async ({ here, there, graphs }) => {
    await graphs.here.invoke(ask("one"), config);
    await transferThread(here, there, "thread", { channels });
    await graphs.there.invoke(ask("two there"), config);
    await graphs.here.updateState((await graphs.here.getState(config)).config, ask("edited here"), "answer");
    await transferThread(here, there, "thread", { channels });
    await graphs.there.invoke(ask("three there"), config);
    await graphs.here.invoke(null, config);
    const before = new Map([...(await viewsOf(graphs.here, here, "thread")), ...(await viewsOf(graphs.there, there, "thread"))]);
    for (const [from, to] of [[here, there], [there, here]] as const) await transferThread(from, to, "thread", { channels });
    expect(await viewsOf(graphs.here, here, "thread")).toEqual(before);
    expect(await viewsOf(graphs.there, there, "thread")).toEqual(before);
  });

  it("brings the writes of a step that is not finished", async ({ here, there, graphs }) => {
    await graphs.here.invoke(ask("one"), config);
    const { config: stop } = await graphs.here.getState(config);
    await here.putWrites(stop, [["plain", ["half"]], ["delta", ["half"]]], "task b");
    await here.putWrites(stop, [["__interrupt__", [{ value: "why" }]]], "task a");
    await transferThread(here, there, "thread", { channels });
    expect((await there.getTuple(stop))?.pendingWrites).toEqual((await here.getTuple(stop))?.pendingWrites);
    await here.putWrites(stop, [["__interrupt__", [{ value: "again" }]]], "task a");
    expect(await transferThread(here, there, "thread", { channels })).toStrictEqual({ checkpoints: 0, writes: 1 });
    expect((await there.getTuple(stop))?.pendingWrites).toEqual((await here.getTuple(stop))?.pendingWrites);
  });

  it("takes another id, and only the namespaces that are wanted", async ({ here, there, graphs }) => {
    await graphs.here.invoke(ask("one"), config);
    await transferThread(here, there, "thread", { channels, target: "copy", namespaces: (namespace) => namespace === "" });
    const copied = await listed(there, { configurable: { thread_id: "copy" } });
    expect(copied.length).toBeGreaterThan(1);
    expect(new Set(copied.map(({ config: { configurable } }) => String(configurable?.["checkpoint_ns"])))).toStrictEqual(new Set([""]));
    expect((await graphs.there.getState({ configurable: { thread_id: "copy" } })).values).toEqual((await graphs.here.getState(config)).values);
    expect(await listed(there, config)).toStrictEqual([]);
  });
}
