import { mark, readMark } from "../store/marks.ts";
import { storedThread } from "./stored.ts";

const newestOf = async (threadId: string): Promise<string | undefined> => (await storedThread(threadId).branches()).find(({ newest }) => newest)?.tip;

/** The tip of the branch that the reader chose, as long as nothing newer was stored; none for the newest. */
export async function chosenTip(threadId: string): Promise<string | undefined> {
  const { branch } = await readMark(threadId);
  return branch !== undefined && (await newestOf(threadId)) === branch.newest ? branch.tip : undefined;
}

export async function chooseTip(threadId: string, tip: string): Promise<void> {
  const newest = await newestOf(threadId);
  await mark(threadId, { branch: newest === undefined || newest === tip ? undefined : { tip, newest } });
}
