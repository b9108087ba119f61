import { useSyncExternalStore } from "react";
import { trustedScriptUrl } from "../store/trustedScript.ts";

let waiting: ServiceWorker | undefined;
const listeners = new Set<() => void>();

/** Has the page's files kept, so that it opens with the network off. */
export async function keepForOffline(): Promise<void> {
  if (!("serviceWorker" in navigator)) return;
  const registration = await navigator.serviceWorker.register(trustedScriptUrl(`${import.meta.env.BASE_URL}sw.js`));
  const look = () => {
    const next = registration.waiting ?? undefined;
    if (next === waiting || navigator.serviceWorker.controller === null) return;
    waiting = next;
    for (const listener of listeners) listener();
  };
  look();
  registration.addEventListener("updatefound", () => registration.installing?.addEventListener("statechange", look));
}

/** Goes over to the new version, in all tabs. */
export function activateUpdate(): void {
  navigator.serviceWorker.addEventListener("controllerchange", () => location.reload());
  waiting?.postMessage("activate");
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
};

/** Whether a newer version of the page waits for a reload. */
export const useUpdate = (): boolean => useSyncExternalStore(subscribe, () => waiting !== undefined);
