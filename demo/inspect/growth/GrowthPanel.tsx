import { useCallback, useState } from "react";
import { saver } from "../../store/saver.ts";
import type { PanelProps } from "../Inspector.tsx";
import { bytes, counted, times } from "../numbers.ts";
import { Empty, Failed, Panel } from "../Panel.tsx";
import { Segments } from "../Segments.tsx";
import { useStored } from "../useStored.ts";
import { GrowthChart, type Scale } from "./GrowthChart.tsx";
import { LongThread } from "./LongThread.tsx";
import { useMaking } from "./longThread.ts";
import { StoresTable } from "./StoresTable.tsx";

const SAYS = "What this thread takes in IndexedDB as it grows, next to what whole copies of its state would take.";
const SCALES: Readonly<Record<Scale, string>> = { linear: "Linear", log: "Log" };

export default function GrowthPanel({ threadId }: PanelProps) {
  const making = useMaking();
  const shown = making?.running === true ? making.threadId : threadId;
  return (
    <Panel says={SAYS}>
      {shown === undefined ? <Empty>Send a message, or make a long thread: its curve will be drawn here.</Empty> : <Growth key={shown} threadId={shown} />}
      <LongThread />
    </Panel>
  );
}

function Growth({ threadId }: { readonly threadId: string }) {
  const read = useCallback(() => saver.threads.usage(threadId), [threadId]);
  const { value: usage, problem, again } = useStored(threadId, read);
  const [scale, setScale] = useState<Scale>("linear");
  if (problem !== undefined) return <Failed problem={problem} again={again} />;
  if (usage === undefined) return <div className="chart-place" />;
  if (usage.checkpoints === 0) return <Empty>Nothing is stored of this thread yet.</Empty>;
  const stored = usage.content + usage.bookkeeping;
  return (
    <>
      <p className="headline">
        <strong>{bytes(stored)}</strong> for {counted(usage.checkpoints, "checkpoint")}; whole copies would take <strong>{bytes(usage.copies)}</strong>
        {usage.copies > stored && <>, {times(usage.copies, stored)} as much</>}.
      </p>
      <div className="chart-head">
        <ul className="legend" aria-label="Legend">
          <li data-series="copies">Whole copies</li>
          <li data-series="stored">This thread</li>
          <li data-series="content">Content alone</li>
          {usage.steps.some(({ snapshot }) => snapshot) && <li data-series="snapshot">Snapshot</li>}
        </ul>
        <Segments label="Scale" choices={SCALES} chosen={scale} choose={setScale} />
      </div>
      <GrowthChart steps={usage.steps} scale={scale} />
      <StoresTable usage={usage} />
    </>
  );
}
