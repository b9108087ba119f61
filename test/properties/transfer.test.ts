import { MemorySaver } from "@langchain/langgraph-checkpoint";
import fc from "fast-check";
import { expect, it } from "vitest";
import { transferThread } from "../../src/index.ts";
import { listed } from "../support/checkpoints.ts";
import { withSaver } from "../support/contract.ts";
import { ask, graphOn, type View, viewsOf } from "../support/handed-over.ts";
import { runs } from "../support/runs.ts";

const config = { configurable: { thread_id: "thread" } };

const step = fc.record({
  what: fc.constantFrom("ask", "go on", "update", "hand over"),
  side: fc.constantFrom("here", "there"),
  /** Which of the graph's checkpoints to go on from, counted from the newest. */
  from: fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(6) }),
});

it("every checkpoint has the same state on both sides, whatever went on where", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 9 }), (steps) =>
      withSaver("worker", async (saver) => {
        const savers = { here: saver, there: new MemorySaver() };
        const graphs = { here: graphOn(savers.here, "here"), there: graphOn(savers.there, "there") };
        const channels = graphs.here.channelsOf;
        const seen = new Map<string, View>();
        for (const [turn, { what, side, from }] of steps.entries()) {
          if (what === "hand over") {
            await transferThread(savers[side], savers[side === "here" ? "there" : "here"], "thread", { channels });
            continue;
          }
          const places = (await listed(savers[side], { configurable: { ...config.configurable, checkpoint_ns: "" } })).map((tuple) => tuple.config);
          const at = places[from % Math.max(1, places.length)];
          if (what === "ask" || at === undefined) await graphs[side].invoke(ask(`${turn}`), from === 0 ? config : (at ?? config));
          else if (what === "go on") await graphs[side].invoke(null, from === 0 ? config : at);
          else await graphs[side].updateState(at, ask(`${turn}`), "answer");
          for (const [id, view] of await viewsOf(graphs[side], savers[side], "thread")) if (!seen.has(id)) seen.set(id, view);
        }
        await transferThread(savers.here, savers.there, "thread", { channels });
        await transferThread(savers.there, savers.here, "thread", { channels });
        for (const side of ["here", "there"] as const) expect(await viewsOf(graphs[side], savers[side], "thread")).toEqual(seen);
        expect(await transferThread(savers.here, savers.there, "thread", { channels })).toStrictEqual({ checkpoints: 0, writes: 0 });
      }),
    ),
    runs(40),
  );
}, 120_000);
