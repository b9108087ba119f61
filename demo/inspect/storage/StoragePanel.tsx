import { Panel } from "../Panel.tsx";
import type { PanelProps } from "../Inspector.tsx";
import { Export } from "./Export.tsx";
import { FullDisk } from "./FullDisk.tsx";
import { Import } from "./Import.tsx";
import { OldThreads } from "./OldThreads.tsx";
import { Quota } from "./Quota.tsx";
import { useRoom } from "./room.ts";
import { Verification } from "./Verification.tsx";

const SAYS = "How much room the browser gives this site, how its threads get out and in, and whether what is stored is whole.";

export default function StoragePanel({ threadId }: PanelProps) {
  const { room, look } = useRoom();
  return (
    <Panel says={SAYS}>
      <Quota room={room} look={look} />
      <OldThreads look={look} />
      <Export threadId={threadId} />
      <Import look={look} />
      <Verification />
      <FullDisk look={look} />
    </Panel>
  );
}
