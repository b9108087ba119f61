import * as archive from "./archive.ts";
import * as branches from "./branches.ts";
import * as chat from "./chat.ts";
import * as demo from "./demo.ts";
import * as growth from "./growth.ts";
import * as history from "./history.ts";
import * as mainThread from "./main-thread.ts";
import * as scale from "./scale.ts";
import * as upstream from "./upstream.ts";
import * as windows from "./windows.ts";
import { closeSaver } from "./open-saver.ts";
import { serveMethods } from "./remote.ts";

/** Everything that the driver may ask of a page. All times are milliseconds. */
const methods = { ...archive, ...branches, ...chat, ...demo, ...growth, ...history, ...mainThread, ...scale, ...upstream, ...windows, closeSaver };

export type Methods = typeof methods;

void serveMethods(methods);
