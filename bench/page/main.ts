import * as chat from "./chat.ts";
import { serveMethods } from "./remote.ts";

/** Everything that the driver may ask of a page. All times are milliseconds. */
const methods = { ...chat };

export type Methods = typeof methods;

void serveMethods(methods);
