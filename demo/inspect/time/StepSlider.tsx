import type { Step } from "langgraph-checkpoint-indexeddb/threads";
import { ChevronLeft, ChevronRight } from "lucide-react";
import { Slider } from "radix-ui";
import { nameOf, numberOf } from "./wording.ts";

interface Props {
  /** Newest first. */
  readonly steps: readonly Step[];
  readonly shown: number;
  readonly choose: (position: number) => void;
}

/** Oldest at the left. Arrow keys, Page Up and Down, Home and End move it. */
export function StepSlider({ steps, shown, choose }: Props) {
  const last = steps.length - 1;
  const step = steps[shown];
  if (step === undefined) return null;
  return (
    <div className="step-slider">
      <button type="button" className="icon-button small" aria-label="One step back" disabled={shown === last} onClick={() => choose(shown + 1)}>
        <ChevronLeft />
      </button>
      <Slider.Root className="slider" min={0} max={Math.max(last, 1)} disabled={last < 1} value={[last - shown]} onValueChange={([value = last]) => choose(last - value)}>
        <Slider.Track className="slider-track">
          <Slider.Range className="slider-range" />
        </Slider.Track>
        <Slider.Thumb className="slider-thumb" aria-label="Step" aria-valuetext={`Step ${numberOf(step)}, ${nameOf(step)}`} />
      </Slider.Root>
      <button type="button" className="icon-button small" aria-label="One step on" disabled={shown === 0} onClick={() => choose(shown - 1)}>
        <ChevronRight />
      </button>
    </div>
  );
}
