import type { TransferProgress } from "langgraph-checkpoint-indexeddb/threads";
import { bytes, counted } from "../numbers.ts";

interface Props {
  readonly label: string;
  readonly progress: TransferProgress;
  readonly value: number;
  readonly max: number;
  readonly cancel: () => void;
}

export function Progress({ label, progress, value, max, cancel }: Props) {
  return (
    <div className="panel-actions">
      <progress max={max} value={value} aria-label={label} />
      <span>
        {bytes(progress.bytes)}, {counted(progress.checkpoints, "checkpoint")}
      </span>
      <button type="button" className="button small" onClick={cancel}>
        Cancel
      </button>
    </div>
  );
}
