import type { Step } from "langgraph-checkpoint-indexeddb/threads";
import { useEffect, useMemo, useRef, type KeyboardEvent } from "react";
import { Virtualizer, type VirtualizerHandle } from "virtua";
import { nameOf, numberOf, summaryOf } from "./wording.ts";

interface Props {
  /** Newest first. */
  readonly steps: readonly Step[];
  readonly shown: number;
  readonly choose: (position: number) => void;
}

const ROW = 46;
const PAGE = 10;

const MOVES: Readonly<Record<string, (shown: number, last: number) => number>> = {
  ArrowDown: (shown) => shown + 1,
  ArrowUp: (shown) => shown - 1,
  PageDown: (shown) => shown + PAGE,
  PageUp: (shown) => shown - PAGE,
  Home: () => 0,
  End: (_, last) => last,
};

export function Timeline({ steps, shown, choose }: Props) {
  const rows = useRef<VirtualizerHandle>(null);
  const mounted = useMemo(() => [shown], [shown]);

  useEffect(() => {
    rows.current?.scrollToIndex(shown, { align: "nearest" });
  }, [shown]);

  const onKeyDown = (event: KeyboardEvent) => {
    const move = MOVES[event.key];
    if (move === undefined) return;
    event.preventDefault();
    choose(Math.max(0, Math.min(steps.length - 1, move(shown, steps.length - 1))));
  };

  return (
    <div
      className="timeline"
      role="listbox"
      tabIndex={0}
      aria-label="Steps, newest first"
      aria-activedescendant={`step-${String(shown)}`}
      onKeyDown={onKeyDown}
    >
      <Virtualizer ref={rows} data={steps} itemSize={ROW} bufferSize={8 * ROW} keepMounted={mounted}>
        {(step, index) => (
          <div
            key={step.id}
            id={`step-${String(index)}`}
            role="option"
            aria-selected={index === shown}
            aria-setsize={steps.length}
            aria-posinset={index + 1}
            className="timeline-step"
            data-source={String(step.metadata["source"])}
            style={{ height: ROW }}
            onClick={() => choose(index)}
          >
            <span className="timeline-number">{numberOf(step)}</span>
            <span className="timeline-name">{nameOf(step)}</span>
            <span className="timeline-writes">{summaryOf(step)}</span>
          </div>
        )}
      </Virtualizer>
    </div>
  );
}
