import { ShieldCheck } from "lucide-react";
import { useState } from "react";
import { bytes } from "../numbers.ts";
import { Empty } from "../Panel.tsx";
import type { Room } from "./room.ts";

export function Quota({ room, look }: { readonly room: Room | undefined; readonly look: () => void }) {
  if (room === undefined) return <Empty>This browser does not tell how much room the site has.</Empty>;
  const { usage, quota, indexedDB, persisted } = room;
  return (
    <section aria-label="Room">
      <h3>Room</h3>
      <meter className="quota" min={0} max={quota} high={quota * 0.8} value={usage} aria-label="Used of the site’s room">
        {bytes(usage)}
      </meter>
      <p>
        <strong>{bytes(usage)}</strong> of {bytes(quota)} used{indexedDB !== undefined && <>, {bytes(indexedDB)} of it by IndexedDB</>}.
      </p>
      {persisted ? (
        <p className="kept">
          <ShieldCheck /> The browser keeps this site’s data until you delete it.
        </p>
      ) : (
        <AskToKeep look={look} />
      )}
    </section>
  );
}

function AskToKeep({ look }: { readonly look: () => void }) {
  const [answer, setAnswer] = useState<"refused">();
  const ask = async () => {
    const granted = await navigator.storage.persist().catch(() => false);
    setAnswer(granted ? undefined : "refused");
    look();
  };
  return (
    <>
      <p>The browser may delete this site’s data when the disk is full; Safari does after seven days without a visit.</p>
      <div className="panel-actions">
        <button type="button" className="button small" onClick={() => void ask()}>
          Ask the browser to keep it
        </button>
        <span role="status">{answer === "refused" && "It refused. Browsers agree sooner for a site that is installed or often visited."}</span>
      </div>
    </>
  );
}
