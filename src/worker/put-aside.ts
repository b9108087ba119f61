/**
 * Calls `leave` when the browser puts the page aside, frozen or in its back/forward cache: an open database would hold up other tabs,
 * or keep the page out of that cache. The page may come back, and go on.
 *
 * @returns a function that ends it
 */
export function whenPutAside(leave: () => Promise<void>): () => void {
  if (typeof document === "undefined") return () => undefined;
  const act = (): void => void leave().catch(() => undefined); // Whoever asks for something later is told what is wrong.
  const hide = (event: PageTransitionEvent): void => {
    if (event.persisted) act();
  };
  const stay = new AbortController();
  addEventListener("pagehide", hide, stay);
  document.addEventListener("freeze", act, stay);
  return () => stay.abort();
}
