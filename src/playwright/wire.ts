import { Packr } from "msgpackr";

/** What the page's part is called there. */
export const ASK = "__langgraphCheckpointIndexedDB";

/** Takes a message for a worker, and gives the one that answers it; both packed, since Playwright hands over less than a Worker does. */
export type Ask = (message: Uint8Array) => Promise<Uint8Array>;

/** Packs what structured clone keeps, as far as messages for a worker have it: maps, `undefined`, typed arrays. */
export const wire = new Packr({ structuredClone: true, copyBuffers: true });
