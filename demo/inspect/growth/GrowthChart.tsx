import type { Usage } from "langgraph-checkpoint-indexeddb/threads";
import { useEffect, useRef } from "react";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { bytes } from "../numbers.ts";
import { useColors } from "./useColors.ts";

export type Scale = "linear" | "log";

interface Props {
  readonly steps: Usage["steps"];
  readonly scale: Scale;
}

const HEIGHT = 230;

export function GrowthChart({ steps, scale }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(undefined);
  const newest = useRef(steps);
  const colors = useColors();
  newest.current = steps;

  useEffect(() => {
    const box = place.current;
    if (box === null) return undefined;
    const drawn = new uPlot(
      {
        width: box.clientWidth,
        height: HEIGHT,
        legend: { show: false },
        cursor: { y: false },
        scales: { x: { time: false }, y: scale === "log" ? { distr: 3 } : { range: (_, __, most) => [0, most * 1.05] } },
        axes: [
          { stroke: colors.ink, grid: { stroke: colors.line, width: 1 }, ticks: { show: false }, label: "checkpoint", labelSize: 18, size: 26 },
          { stroke: colors.ink, grid: { stroke: colors.line, width: 1 }, ticks: { show: false }, size: 62, values: (_, splits) => splits.map((value: number | null) => (value === null ? "" : bytes(value))) },
        ],
        series: [
          {},
          { label: "Whole copies", stroke: colors.copies, width: 2, points: { show: false } },
          { label: "This thread", stroke: colors.stored, width: 2, fill: scale === "log" ? "transparent" : colors.storedSoft, points: { show: false } },
          { label: "Content alone", stroke: colors.content, width: 1.5, dash: [4, 3], points: { show: false } },
          { label: "Snapshot", stroke: "transparent", points: { show: true, size: 7, width: 1.5, fill: colors.page, stroke: colors.stored } },
        ],
      },
      series(newest.current),
      box,
    );
    plot.current = drawn;
    const observer = new ResizeObserver(() => drawn.setSize({ width: box.clientWidth, height: HEIGHT }));
    observer.observe(box);
    return () => {
      observer.disconnect();
      plot.current = undefined;
      drawn.destroy();
    };
  }, [scale, colors]);

  useEffect(() => {
    plot.current?.setData(series(steps));
  }, [steps]);

  return <div className="chart-place" ref={place} role="img" aria-label={description(steps)} />;
}

function series(steps: Usage["steps"]): uPlot.AlignedData {
  return [
    steps.map((_, index) => index + 1),
    steps.map(({ copies }) => copies),
    steps.map(({ stored }) => stored),
    steps.map(({ content }) => Math.max(1, content)),
    steps.map(({ snapshot, stored }) => (snapshot ? stored : null)),
  ];
}

function description(steps: Usage["steps"]): string {
  const last = steps.at(-1);
  if (last === undefined) return "No checkpoints yet";
  const snapshots = steps.filter(({ snapshot }) => snapshot).length;
  return `Bytes by checkpoint: after ${String(steps.length)} checkpoints ${bytes(last.stored)} are stored, ${bytes(last.content)} of it content, where copies take ${bytes(last.copies)}; ${String(snapshots)} snapshots`;
}
