import { History } from "lucide-react";
import { inspect, useInspection } from "./inspection.ts";

export function InspectButton() {
  const { open } = useInspection();
  return (
    <button type="button" className="button small inspect-button" aria-pressed={open} aria-label="Inspect" onClick={() => inspect({ open: !open })}>
      <History /> <span>Inspect</span>
    </button>
  );
}
