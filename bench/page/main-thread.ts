import { transcript } from "./conversation.ts";
import { Loader } from "./loader.ts";
import { openedSaver } from "./open-saver.ts";
import type { SaverName } from "./savers.ts";
import { threadId } from "./workload.ts";

export interface Held {
  /** The longest time between two beats of the main thread, and the longest between two frames. */
  readonly longestTaskMs: number;
  readonly longestFrameMs: number;
  readonly ms: number;
}

const config = { configurable: { thread_id: threadId, checkpoint_ns: "" } };

/** A thread of one turn that holds `messages` messages. */
export async function loadOneTurn(saver: SaverName, messages: number): Promise<void> {
  await Loader.start(openedSaver(saver).saver, { messages: "plain" }).turn(transcript(messages / 2), []);
}

/** Reads the thread by the saver alone: without a graph all that the main thread does is the saver's. */
export function readWatched(saver: SaverName, messages: number): Promise<Held> {
  return watched(async () => {
    const tuple = await openedSaver(saver).saver.getTuple(config);
    const list = tuple?.checkpoint.channel_values["messages"];
    if (!Array.isArray(list) || list.length !== messages) throw new Error(`not the ${messages} messages that were written`);
  });
}

/** Writes turns of a new thread by the saver alone, each in a task of its own: without that all of `MemorySaver`'s would be one. */
export function writeWatched(saver: SaverName, channel: "plain" | number, turns: number): Promise<Held> {
  const script = transcript(turns);
  const loader = Loader.start(openedSaver(saver).saver, { messages: channel }, crypto.randomUUID());
  return watched(async () => {
    for (let turn = 0; turn < turns; turn += 1) {
      await loader.turn(script.slice(2 * turn, 2 * turn + 1), script.slice(2 * turn + 1, 2 * turn + 2));
      await pause(0);
    }
  });
}

/** The same with nothing to do: what the page and the machine do of themselves. */
export const idleWatched = (ms: number): Promise<Held> => watched(() => pause(ms));

/**
 * A message to oneself comes round at once when the main thread is free: the longest wait for one is the longest task meanwhile. The
 * engines' own `longtask` entries begin at 50 ms, and only Chromium has them.
 */
export async function watched(work: () => Promise<void>): Promise<Held> {
  const { port1, port2 } = new MessageChannel();
  let [beating, lastBeat, longestTaskMs] = [true, performance.now(), 0];
  const beat = () => {
    const now = performance.now();
    longestTaskMs = Math.max(longestTaskMs, now - lastBeat);
    lastBeat = now;
    if (beating) port2.postMessage(undefined);
  };
  port1.addEventListener("message", beat);
  port1.start();

  let [lastFrame, longestFrameMs] = [performance.now(), 0];
  const frame = () => {
    const now = performance.now();
    longestFrameMs = Math.max(longestFrameMs, now - lastFrame);
    lastFrame = now;
    if (beating) requestAnimationFrame(frame);
  };

  await pause(50);
  [lastBeat, lastFrame] = [performance.now(), performance.now()];
  requestAnimationFrame(frame);
  beat();
  const before = performance.now();
  await work();
  const ms = performance.now() - before;
  await pause(50); // For the beat and the frame that waited.
  beating = false;
  port1.close();
  return { longestTaskMs, longestFrameMs, ms };
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
