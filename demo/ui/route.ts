import { useSyncExternalStore } from "react";

const PREFIX = "#/thread/";

const threadInHash = (): string | undefined =>
  location.hash.startsWith(PREFIX) ? decodeURIComponent(location.hash.slice(PREFIX.length)) : undefined;

const onHashChange = (listener: () => void): (() => void) => {
  addEventListener("hashchange", listener);
  return () => {
    removeEventListener("hashchange", listener);
  };
};

export const NEW_THREAD_HREF = "#/";

export const threadHref = (threadId: string): string => PREFIX + encodeURIComponent(threadId);

export const goTo = (href: string): void => {
  location.hash = href;
};

/** The thread in the address bar; none for a new thread. */
export const useRoutedThread = (): string | undefined => useSyncExternalStore(onHashChange, threadInHash);
