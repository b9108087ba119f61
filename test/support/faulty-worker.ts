import { type Fault, failCommits } from "./faults.ts";
import "../../src/worker/host.ts";

addEventListener("message", ({ data }: MessageEvent<{ fault?: Fault }>) => {
  if (data.fault !== undefined) failCommits(data.fault);
});
