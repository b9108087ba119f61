import { useVirtualizer } from "@tanstack/react-virtual";
import type { Step } from "langgraph-checkpoint-indexeddb/threads";
import { useEffect, useRef, type KeyboardEvent } from "react";
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
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({ count: steps.length, getScrollElement: () => scroller.current, estimateSize: () => ROW, overscan: 8 });

  useEffect(() => {
    rows.scrollToIndex(shown, { align: "auto" });
  }, [rows, shown]);

  const onKeyDown = (event: KeyboardEvent) => {
    const move = MOVES[event.key];
    if (move === undefined) return;
    event.preventDefault();
    choose(Math.max(0, Math.min(steps.length - 1, move(shown, steps.length - 1))));
  };

  return (
    <div
      className="timeline"
      ref={scroller}
      role="listbox"
      tabIndex={0}
      aria-label="Steps, newest first"
      aria-activedescendant={`step-${String(shown)}`}
      onKeyDown={onKeyDown}
    >
      <div style={{ height: rows.getTotalSize() }} role="presentation">
        {rows.getVirtualItems().map(({ index, start }) => {
          const step = steps[index];
          return (
            step && (
              <div
                key={step.id}
                id={`step-${String(index)}`}
                role="option"
                aria-selected={index === shown}
                aria-setsize={steps.length}
                aria-posinset={index + 1}
                className="timeline-step"
                data-source={String(step.metadata["source"])}
                style={{ translate: `0 ${String(start)}px`, height: ROW }}
                onClick={() => choose(index)}
              >
                <span className="timeline-number">{numberOf(step)}</span>
                <span className="timeline-name">{nameOf(step)}</span>
                <span className="timeline-writes">{summaryOf(step)}</span>
              </div>
            )
          );
        })}
      </div>
    </div>
  );
}
