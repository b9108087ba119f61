import { clientsClaim } from "workbox-core";
import { precacheAndRoute, type PrecacheEntry } from "workbox-precaching";

/** All files of the built page, which the build puts in. */
declare const PRECACHED: PrecacheEntry[];

clientsClaim();
precacheAndRoute(PRECACHED);

// A new version waits until the reader asks for it: an open page still needs the files of its own.
addEventListener("message", ({ data }) => {
  if (data === "activate") void (globalThis as unknown as { skipWaiting: () => Promise<void> }).skipWaiting();
});
