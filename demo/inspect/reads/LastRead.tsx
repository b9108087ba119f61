import type { ReadReport } from "langgraph-checkpoint-indexeddb";
import { bytes, counted, milliseconds, whole } from "../numbers.ts";
import { Stages } from "./Stages.tsx";

const ASKED: Readonly<Record<ReadReport["method"], string>> = {
  getTuple: "a checkpoint, for the graph",
  getDeltaChannelHistory: "what a delta channel is made of, for the graph",
  list: "a page of checkpoints",
  state: "a whole state",
  slice: "a window of messages",
  history: "a page of steps",
};

export function LastRead({ report }: { readonly report: ReadReport }) {
  const { method, worker, requests, rows, elements, remembered, ms } = report;
  return (
    <section className="last-read" aria-label="The last read">
      <h3>
        <code>{method}</code> · {ASKED[method]} · <strong>{milliseconds(ms.total)}</strong>
      </h3>
      <Stages ms={ms} />
      <dl className="facts">
        <dt>Ran</dt>
        <dd>{worker ? "in the worker" : "on the page"}</dd>
        <dt>Asked IndexedDB</dt>
        <dd>{requests === 0 ? "nothing: an earlier read had brought it along" : counted(requests, "request")}</dd>
        <dt>Read</dt>
        <dd>
          {counted(rows, "row")}, {bytes(report.bytes)}
        </dd>
        <dt>Made of</dt>
        <dd>
          {counted(elements, "stored element")}
          {elements > 0 && `, ${whole.format(remembered)} of them in memory already (${String(Math.round((100 * remembered) / elements))} %)`}
        </dd>
      </dl>
    </section>
  );
}
