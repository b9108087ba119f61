import { Panel } from "../Panel.tsx";
import { FullDisk } from "./FullDisk.tsx";
import { Quota } from "./Quota.tsx";
import { useRoom } from "./room.ts";
import { Verification } from "./Verification.tsx";

const SAYS = "How much room the browser gives this site, and whether what is stored in it is whole.";

export default function StoragePanel() {
  const { room, look } = useRoom();
  return (
    <Panel says={SAYS}>
      <Quota room={room} look={look} />
      <Verification />
      <FullDisk look={look} />
    </Panel>
  );
}
