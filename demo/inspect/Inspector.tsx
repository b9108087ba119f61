import { X } from "lucide-react";
import { Dialog, Tabs } from "radix-ui";
import { lazy, Suspense, type ComponentType } from "react";
import { inspect, PANELS, useInspection, type Panel } from "./inspection.ts";
import { useMedia } from "./useMedia.ts";
import "./inspect.css";

export interface PanelProps {
  /** The thread on the screen, if it is stored. */
  readonly threadId: string | undefined;
}

const LABELS: Readonly<Record<Panel, string>> = { time: "Time", branches: "Branches", growth: "Growth", reads: "Reads", storage: "Storage" };

const VIEWS: Readonly<Record<Panel, ComponentType<PanelProps>>> = {
  time: lazy(() => import("./time/TimePanel.tsx")),
  branches: lazy(() => import("./branches/BranchesPanel.tsx")),
  growth: lazy(() => import("./growth/GrowthPanel.tsx")),
  reads: lazy(() => import("./reads/ReadsPanel.tsx")),
  storage: lazy(() => import("./storage/StoragePanel.tsx")),
};

/** What the saver does, beside the chat; on a narrow screen a sheet over its lower half. */
export function Inspector(props: PanelProps) {
  const { open } = useInspection();
  const isBeside = useMedia("(width >= 70rem)");
  if (!open) return null;
  if (isBeside) {
    return (
      <aside className="inspector" aria-label="Inspector">
        <Views {...props} />
      </aside>
    );
  }
  return (
    <Dialog.Root open modal={false} onOpenChange={(wanted) => inspect({ open: wanted })}>
      <Dialog.Portal>
        <Dialog.Content
          className="inspector sheet"
          aria-describedby={undefined}
          onInteractOutside={(event) => event.preventDefault()}
          onOpenAutoFocus={(event) => event.preventDefault()}
        >
          <Dialog.Title className="visually-hidden">Inspector</Dialog.Title>
          <Views {...props} />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function Views({ threadId }: PanelProps) {
  const { panel } = useInspection();
  return (
    <Tabs.Root className="inspector-tabs" value={panel} onValueChange={(chosen) => inspect({ panel: chosen as Panel })}>
      <div className="inspector-head">
        <Tabs.List className="inspector-list" aria-label="Views of the thread">
          {PANELS.map((each) => (
            <Tabs.Trigger key={each} value={each} className="inspector-tab">
              {LABELS[each]}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        <button type="button" className="icon-button small" aria-label="Close the inspector" onClick={() => inspect({ open: false })}>
          <X />
        </button>
      </div>
      {PANELS.map((each) => {
        const View = VIEWS[each];
        return (
          <Tabs.Content key={each} value={each} className="inspector-view">
            <Suspense>
              <View key={threadId} threadId={threadId} />
            </Suspense>
          </Tabs.Content>
        );
      })}
    </Tabs.Root>
  );
}
