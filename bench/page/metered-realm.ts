import { Meter } from "./meter.ts";

/** In a worker: counts, and tells the page on the channel that has the worker's name. Imported before what is counted. */
const meter = Meter.install({ sizing: "at once" });
const channel = new BroadcastChannel(self.name);
channel.addEventListener("message", ({ data }) => {
  if (data === "take") channel.postMessage(meter.take());
});
