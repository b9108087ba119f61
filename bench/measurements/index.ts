import type { Measurement } from "../driver/measurement.ts";
import { disk } from "./disk.ts";
import { read } from "./read.ts";
import { write } from "./write.ts";

export const measurements: readonly Measurement[] = [disk, write, read];
