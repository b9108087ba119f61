import { ShieldCheck } from "lucide-react";
import type { StorageEstimate } from "langgraph-checkpoint-indexeddb";
import { useState } from "react";
import { saver } from "../../store/saver.ts";
import { bytes } from "../numbers.ts";
import { Empty } from "../Panel.tsx";

export function Quota({ room, look }: { readonly room: StorageEstimate | undefined; readonly look: () => void }) {
  if (room === undefined) return <Empty>This browser does not tell how much room the site has.</Empty>;
  const { usage, quota, isPersisted } = room;
  return (
    <section aria-label="Room">
      <h3>Room</h3>
      <meter className="quota" min={0} max={quota} high={quota * 0.8} value={usage} aria-label="Used of the site’s room">
        {bytes(usage)}
      </meter>
      <p>
        <strong>{bytes(usage)}</strong> of {bytes(quota)} used, by all that this site keeps.
      </p>
      {isPersisted ? (
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
    const granted = await saver.persist();
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
