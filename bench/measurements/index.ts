import type { Measurement } from "../driver/measurement.ts";
import { added } from "./added.ts";
import { archive } from "./archive.ts";
import { branches } from "./branches.ts";
import { demo } from "./demo.ts";
import { disk } from "./disk.ts";
import { encryption } from "./encryption.ts";
import { growth } from "./growth.ts";
import { history } from "./history.ts";
import { mainThread } from "./main-thread.ts";
import { read } from "./read.ts";
import { scale } from "./scale.ts";
import { storage } from "./storage.ts";
import { upstream } from "./upstream.ts";
import { windows } from "./windows.ts";
import { write } from "./write.ts";

export const measurements: readonly Measurement[] = [disk, write, read, growth, added, history, branches, windows, mainThread, demo, scale, upstream, storage, encryption, archive];
