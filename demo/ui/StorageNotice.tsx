import { TriangleAlert, X } from "lucide-react";
import type { StorageFault, StorageNotice as Low } from "langgraph-checkpoint-indexeddb";
import { useState, useSyncExternalStore } from "react";
import { storageProblem } from "../conversation/problem.ts";
import { inspect } from "../inspect/inspection.ts";
import { bytes } from "../inspect/numbers.ts";
import { healthNow, watchHealth } from "../store/health.ts";

const toStorage = () => inspect({ open: true, panel: "storage" });
const MAKE_ROOM = { label: "Make room", act: toStorage };

/** What the button does that helps. Where the sentence says all that one can do, there is none. */
const ACTIONS: Readonly<Partial<Record<StorageFault["remedy"], { readonly label: string; readonly act: () => void }>>> = {
  space: MAKE_ROOM,
  repair: { label: "Verify and repair", act: toStorage },
  reload: { label: "Reload", act: () => location.reload() },
};

/** How the storage is, as long as it is not well. */
export function StorageNotice() {
  const { fault, low } = useSyncExternalStore(watchHealth, healthNow);
  const [dismissed, setDismissed] = useState<StorageFault | Low>();
  const shown = fault ?? low;
  const action = fault === undefined ? MAKE_ROOM : ACTIONS[fault.remedy];
  return (
    <div role="status" aria-label="Storage">
      {shown !== undefined && shown !== dismissed && (
        <div className="storage-notice">
          <TriangleAlert />
          <span>{fault === undefined ? low !== undefined && leftOf(low) : storageProblem(fault).text}</span>
          {action !== undefined && (
            <button type="button" className="button small" onClick={action.act}>
              {action.label}
            </button>
          )}
          <button type="button" className="icon-button small" aria-label="Hide the notice" onClick={() => setDismissed(shown)}>
            <X />
          </button>
        </div>
      )}
    </div>
  );
}

const leftOf = ({ usage, quota }: Low): string => `Of this site’s room of ${bytes(quota)} only ${bytes(Math.max(0, quota - usage))} are left.`;
