import { useCallback, useEffect, useState } from "react";

export interface Room {
  readonly usage: number;
  readonly quota: number;
  /** What the origin has in IndexedDB, where the browser says it. */
  readonly indexedDB: number | undefined;
  readonly persisted: boolean;
}

const EVERY_MS = 2000;

/** The site's room on the disk, looked at now and then. Undefined where the browser does not say. */
export function useRoom(): { readonly room: Room | undefined; readonly look: () => void } {
  const [room, setRoom] = useState<Room>();
  const look = useCallback(() => {
    readRoom().then(setRoom, () => setRoom(undefined));
  }, []);
  useEffect(() => {
    look();
    const timer = setInterval(look, EVERY_MS);
    return () => clearInterval(timer);
  }, [look]);
  return { room, look };
}

async function readRoom(): Promise<Room> {
  const [estimate, persisted] = await Promise.all([navigator.storage.estimate(), navigator.storage.persisted()]);
  const { usage = 0, quota = 0 } = estimate;
  const { usageDetails } = estimate as StorageEstimate & { readonly usageDetails?: { readonly indexedDB?: number } };
  return { usage, quota, indexedDB: usageDetails?.indexedDB, persisted };
}
