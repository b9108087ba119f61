import { serveMethods } from "./remote.ts";

/** Where a browser that has one window waits until it is told where to go. */
void serveMethods({});
