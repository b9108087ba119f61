import type { ReadReport } from "langgraph-checkpoint-indexeddb";
import { milliseconds } from "../numbers.ts";

const STAGES = [
  { stage: "storage", label: "IndexedDB" },
  { stage: "rebuild", label: "Replay" },
  { stage: "transfer", label: "To the page" },
  { stage: "decode", label: "Decoding" },
] as const;

/** Where the time of a read went. */
export function Stages({ ms }: { readonly ms: ReadReport["ms"] }) {
  return (
    <>
      <div className="stages" aria-hidden="true">
        {STAGES.map(({ stage }) => (
          <span key={stage} data-stage={stage} style={{ flexGrow: Math.max(0, ms[stage]) }} />
        ))}
      </div>
      <dl className="stage-list">
        {STAGES.map(({ stage, label }) => (
          <div key={stage} data-stage={stage}>
            <dt>{label}</dt>
            <dd>{milliseconds(ms[stage])}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
