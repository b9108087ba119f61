import type { Step } from "langgraph-checkpoint-indexeddb/threads";
import { useCallback } from "react";
import { backToNow, inspect, useVisit } from "../inspection.ts";
import type { PanelProps } from "../Inspector.tsx";
import { Empty, Failed, Panel } from "../Panel.tsx";
import { useStored } from "../useStored.ts";
import { readPath } from "./path.ts";
import { StepDetails } from "./StepDetails.tsx";
import { StepSlider } from "./StepSlider.tsx";
import { Timeline } from "./Timeline.tsx";

const SAYS = "Every step the agent took is a checkpoint, and any of them can be opened again.";

export default function TimePanel({ threadId }: PanelProps) {
  return <Panel says={SAYS}>{threadId === undefined ? <Empty>Send a message, and its steps will be listed here.</Empty> : <Steps threadId={threadId} />}</Panel>;
}

function Steps({ threadId }: { readonly threadId: string }) {
  const visit = useVisit(threadId);
  const tip = visit?.tip;
  const read = useCallback((before: readonly Step[] | undefined) => readPath(threadId, tip, before), [threadId, tip]);
  const { value: steps, problem, again } = useStored(threadId, read);
  if (problem !== undefined) return <Failed problem={problem} again={again} />;
  if (steps === undefined) return null;

  const shown = visit === undefined ? 0 : steps.findIndex(({ id }) => id === visit.checkpoint);
  const step = steps[shown];
  if (step === undefined) return <Empty>Nothing is stored of this thread yet.</Empty>;

  const choose = (position: number) => {
    const chosen = steps[position];
    if (chosen === undefined) return;
    if (position === 0 && tip === undefined) backToNow();
    else inspect({ visit: { threadId, checkpoint: chosen.id, ...(tip !== undefined && { tip }) } });
  };
  return (
    <>
      <StepSlider steps={steps} shown={shown} choose={choose} />
      <StepDetails step={step} />
      <Timeline steps={steps} shown={shown} choose={choose} />
    </>
  );
}
