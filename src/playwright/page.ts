import { serve } from "../worker/host.ts";
import { ASK, type Ask, wire } from "./wire.ts";

/** Runs in a page of the origin, bundled into one file: the engine, and a function that asks it and gives its answer. */
const { port1, port2 } = new MessageChannel();
serve({ endpoint: port2 });

const waiting = new Map<unknown, (answer: Uint8Array) => void>();
port1.onmessage = ({ data }: MessageEvent<{ id: unknown }>) => {
  waiting.get(data.id)?.(Uint8Array.from(wire.pack(data)));
  waiting.delete(data.id);
};

const ask: Ask = (packed) =>
  new Promise((resolve) => {
    const message = wire.unpack(packed) as { id: unknown };
    waiting.set(message.id, resolve);
    port1.postMessage(message);
  });
Object.defineProperty(globalThis, ASK, { value: ask });
