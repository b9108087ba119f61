import { transcript } from "./conversation.ts";
import { Loader } from "./loader.ts";
import { openedSaver } from "./open-saver.ts";
import { openSaver } from "./savers.ts";
import { assertMessages, chatGraph } from "./workload.ts";

/** Every thread here says this much: what is compared is the database around it. */
const script = transcript(6);
const channels = { messages: "plain" } as const;
const together = 20;

/** Threads of 20 checkpoints, some at a time: six turns and two steps. */
export async function loadThreads(names: readonly string[]): Promise<void> {
  const { saver } = openedSaver("worker");
  for (let at = 0; at < names.length; at += together) {
    await Promise.all(
      names.slice(at, at + together).map(async (name) => {
        const loader = Loader.start(saver, channels, name);
        await sayScript(loader);
        for (let step = 0; step < 2; step += 1) await loader.tick();
      }),
    );
  }
}

/** One thread that goes on for `checkpoints` checkpoints with the same messages. */
export async function loadEndless(name: string, checkpoints: number): Promise<void> {
  const loader = Loader.start(openedSaver("worker").saver, channels, name);
  await sayScript(loader);
  for (let made = (3 * script.length) / 2; made < checkpoints; made += 1) await loader.tick();
}

async function sayScript(loader: Loader): Promise<void> {
  for (let turn = 0; turn < script.length / 2; turn += 1) await loader.turn(script.slice(2 * turn, 2 * turn + 1), script.slice(2 * turn + 1, 2 * turn + 2));
}

/** On a fresh page: from nothing to the state of one thread. */
export async function openThread(name: string): Promise<number> {
  const before = performance.now();
  const saver = openSaver("worker");
  const { values } = await chatGraph({ channel: "plain" }, saver, () => []).getState({ configurable: { thread_id: name } });
  const time = performance.now() - before;
  assertMessages((values as { messages: typeof script }).messages, script);
  await saver.close?.();
  return time;
}
