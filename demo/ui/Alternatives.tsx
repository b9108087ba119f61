import { ChevronLeft, ChevronRight } from "lucide-react";
import type { Alternative } from "../conversation/alternatives.ts";

interface Props {
  readonly alternative: Alternative;
  readonly choose: (tip: string) => void;
}

/** Where branches part: which of them is shown, and the way to the next one. */
export function Alternatives({ alternative: { shown, tips }, choose }: Props) {
  const count = tips.length;
  return (
    <span className="alternatives" role="group" aria-label={`Branch ${String(shown + 1)} of ${String(count)}`}>
      <button type="button" className="icon-button tiny" aria-label="The branch before" disabled={shown === 0} onClick={() => choose(tips[shown - 1]!)}>
        <ChevronLeft />
      </button>
      <span aria-hidden="true">
        {shown + 1} / {count}
      </span>
      <button type="button" className="icon-button tiny" aria-label="The next branch" disabled={shown === count - 1} onClick={() => choose(tips[shown + 1]!)}>
        <ChevronRight />
      </button>
    </span>
  );
}
