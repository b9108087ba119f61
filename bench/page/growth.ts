import { transcript } from "./conversation.ts";
import { Loader } from "./loader.ts";
import { openedSaver } from "./open-saver.ts";
import { storeSizes } from "./rows.ts";
import { databaseName } from "./savers.ts";
import type { Workload } from "./workload.ts";

export interface Growth {
  readonly rowBytesPerTurn: number;
  readonly bytesWrittenPerTurn: number;
}

const largeStep = 75;

/** What a turn adds to the rows, and what it writes, in two windows of a thread: at its start, and after `before` turns. */
export async function growth(workload: Workload, { window, before }: { window: number; before: number }): Promise<readonly [Growth, Growth]> {
  const { saver, meter } = openedSaver("worker");
  const channels = { messages: workload.channel === "plain" ? ("plain" as const) : workload.frequency };
  const loader = Loader.start(saver, channels);
  const script = transcript(before + window);
  let turn = 0;

  /** `size` turns as one. */
  const say = async (size: number) => {
    const said = script.slice(2 * turn, 2 * (turn + size));
    await loader.turn(said.slice(0, size), said.slice(size));
    turn += size;
  };
  const measured = async (): Promise<Growth> => {
    const rowsBefore = await rowBytes();
    await meter.take();
    for (let i = 0; i < window; i += 1) await say(1);
    const { bytesPut } = await meter.take();
    return { rowBytesPerTurn: ((await rowBytes()) - rowsBefore) / window, bytesWrittenPerTurn: bytesPut / window };
  };

  await say(1);
  const early = await measured();
  while (turn < before) await say(Math.min(largeStep, before - turn));
  return [early, await measured()];
}

async function rowBytes(): Promise<number> {
  const stores = await storeSizes(databaseName);
  return stores.reduce((bytes, { keyBytes, valueBytes }) => bytes + keyBytes + valueBytes, 0);
}
