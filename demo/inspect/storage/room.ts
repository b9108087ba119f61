import type { StorageEstimate } from "langgraph-checkpoint-indexeddb";
import { useCallback, useEffect, useState } from "react";
import { saver } from "../../store/saver.ts";

const EVERY_MS = 2000;

/** The site's room on the disk, looked at now and then. Undefined where the browser does not say. */
export function useRoom(): { readonly room: StorageEstimate | undefined; readonly look: () => void } {
  const [room, setRoom] = useState<StorageEstimate>();
  const look = useCallback(() => {
    void saver.estimate().then(setRoom);
  }, []);
  useEffect(() => {
    look();
    const timer = setInterval(look, EVERY_MS);
    return () => clearInterval(timer);
  }, [look]);
  return { room, look };
}
