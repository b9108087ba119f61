import { HumanMessage, type BaseMessage } from "@langchain/core/messages";
import { addMessages } from "@langchain/langgraph/web";
import { graph } from "../agent/index.ts";
import { answer, closingAnswers, unansweredCalls } from "../agent/toolCalls.ts";
import { setStopped } from "../store/marks.ts";
import { beginThread } from "../store/threads.ts";
import { alternativesIn } from "./alternatives.ts";
import { chooseTip, chosenTip } from "./branch.ts";
import { coalesced } from "./coalesced.ts";
import { stepOf } from "./forkPoint.ts";
import { isTaken, withThread } from "./lock.ts";
import { BUSY, problemOf } from "./problem.ts";
import { readThread, WINDOW, type StoredThread } from "./readThread.ts";
import { runGraph, type RunEvent, type Start } from "./runGraph.ts";
import { messagesOf, storedThread, threadConfig } from "./stored.ts";
import { hearTabs, tellTabs } from "./tabs.ts";
import { EMPTY_VIEW, type View } from "./view.ts";

const LOCK_PATIENCE_MS = 3000;

/**
 * One thread as this tab shows and runs it. The tab that holds the thread's lock runs it; the others show what is
 * stored and wait for the lock, and whoever gets it goes on with a run that its tab left unfinished.
 */
export class Conversation {
  readonly threadId: string;
  #view: View = EMPTY_VIEW;
  #opened: AbortController | undefined;
  #run: AbortController | undefined;
  #waiting = false;
  #elsewhere = false;
  #loadingEarlier = false;
  readonly #listeners = new Set<() => void>();
  readonly #refresh = coalesced(() => this.#read());

  constructor(threadId: string) {
    this.threadId = threadId;
  }

  get view(): View {
    return this.#view;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    if (this.#opened === undefined) void this.#open();
    return () => {
      this.#listeners.delete(listener);
      this.#closeUnused();
    };
  };

  /** A message that could not be stored is `unsent` in the view, which says why. */
  async send(text: string): Promise<void> {
    const message = new HumanMessage({ id: crypto.randomUUID(), content: text });
    const messages = [...closingAnswers(this.#view.messages), message];
    await this.#act(this.#with(messages), async () => {
      await beginThread(this.threadId, text);
      return { input: { messages }, at: await chosenTip(this.threadId) };
    });
    if (this.#view.messages.every(({ id }) => id !== message.id)) this.#change({ unsent: text });
  }

  /** Goes on from what is stored: an approved call, a failed task, a stopped run, a thread that could not be read. */
  async proceed(): Promise<void> {
    if (this.#view.phase === "unreadable") return this.#open();
    await this.#act(this.#view.messages, async () => ({ input: null, at: await chosenTip(this.threadId) }));
  }

  async decline(): Promise<void> {
    const refused = unansweredCalls(this.#view.messages).slice(0, 1).map((call) => answer(call, "Not done: you declined.", "error"));
    await this.#act(this.#with(refused), async () => {
      await graph.updateState(threadConfig(this.threadId, await chosenTip(this.threadId)), { messages: refused }, "effect");
      return { input: null };
    });
  }

  /** Answers the question before a position once more, on a branch of its own. */
  async regenerate(position: number): Promise<void> {
    const { messages, start } = this.#view;
    const question = start + messages.slice(0, position - start).findLastIndex((message) => HumanMessage.isInstance(message));
    await this.#act(messages.slice(0, question + 1 - start), async () => ({ input: null, at: (await this.#stepOf(question)).id }));
  }

  /** Asks something else in place of the message at a position, on a branch of its own. */
  async edit(position: number, text: string): Promise<void> {
    const before = this.#view.messages.slice(0, position - this.#view.start);
    const messages = [...closingAnswers(before), new HumanMessage({ id: crypto.randomUUID(), content: text })];
    await this.#act(addMessages([...before], messages), async () => {
      const { parent } = await this.#stepOf(position);
      if (parent === undefined) throw new Error("The thread begins with this message, so there is nothing to fork from.");
      return { input: { messages }, at: parent };
    });
  }

  /** Shows another branch, and goes on there with the next message. */
  async choose(tip: string): Promise<void> {
    if (this.#run !== undefined) return;
    await chooseTip(this.threadId, tip);
    this.#announce();
    if ((await this.#refresh())?.standing === "unfinished") await this.#follow();
  }

  /** Reads the messages above those that are shown. */
  async loadEarlier(): Promise<void> {
    const { start, at } = this.#view;
    if (start === 0 || at === undefined || this.#loadingEarlier) return;
    this.#loadingEarlier = true;
    try {
      const earlier = await messagesOf(storedThread(this.threadId), { last: 2 * WINDOW, before: start, at });
      if (this.#view.start !== start) return;
      const shown = { messages: [...earlier.items, ...this.#view.messages], start: earlier.start };
      this.#change({ ...shown, alternatives: await alternativesIn(storedThread(this.threadId), { ...shown, at }) });
    } finally {
      this.#loadingEarlier = false;
    }
  }

  /** Goes on from an earlier step: a copy of it becomes the newest one, and the steps after it stay as another branch. */
  async forkFrom(checkpoint: string): Promise<void> {
    const earlier = { configurable: { thread_id: this.threadId, checkpoint_id: checkpoint } };
    await withThread(this.threadId, AbortSignal.timeout(LOCK_PATIENCE_MS), () => graph.updateState(earlier, null, "__copy__"));
    this.#announce();
    await this.#open();
  }

  async stop(): Promise<void> {
    try {
      await setStopped(this.threadId, true);
    } finally {
      this.#run?.abort();
      tellTabs({ type: "stop", threadId: this.threadId });
    }
  }

  async #open(): Promise<void> {
    this.#opened?.abort();
    this.#change({ problem: undefined });
    const opened = new AbortController();
    this.#opened = opened;
    const stopHearing = hearTabs(this.threadId, (type) => {
      if (type === "stop") this.#run?.abort();
      else void this.#follow();
    });
    opened.signal.addEventListener("abort", stopHearing);
    const stored = await this.#refresh();
    if (stored?.standing === "unfinished") await this.#follow();
  }

  #closeUnused(): void {
    if (this.#listeners.size > 0 || this.#run !== undefined) return;
    this.#opened?.abort();
    this.#opened = undefined;
  }

  async #act(shown: readonly BaseMessage[], begin: () => Promise<Start>): Promise<void> {
    if (this.#run !== undefined) return;
    const run = new AbortController();
    this.#run = run;
    this.#change({ messages: shown, phase: "running", speech: "", resumed: false, problem: undefined, unsent: undefined });
    await this.#settle(run, () =>
      withThread(this.threadId, AbortSignal.timeout(LOCK_PATIENCE_MS), async () => {
        await setStopped(this.threadId, false);
        run.signal.throwIfAborted();
        await this.#advance(run, await begin());
      }),
    );
  }

  /** Runs to the end, good or bad, and then shows what is stored. */
  async #settle(run: AbortController, act: () => Promise<void>): Promise<void> {
    let failure: unknown;
    try {
      await act();
    } catch (error) {
      failure = run.signal.aborted ? undefined : error;
    }
    this.#run = undefined;
    const stored = await this.#refresh();
    if (failure !== undefined) {
      const busy = failure instanceof DOMException && failure.name === "TimeoutError";
      this.#change({ problem: busy ? BUSY : problemOf(failure), ...(stored?.standing === "unfinished" && !busy && { phase: "failed" }) });
    }
    this.#closeUnused();
  }

  async #advance(run: AbortController, start: Start): Promise<void> {
    this.#announce();
    for await (const event of runGraph(this.threadId, start, run.signal)) this.#show(event);
  }

  #stepOf(position: number) {
    const { at } = this.#view;
    if (at === undefined) throw new Error("Nothing of this thread is stored yet.");
    return stepOf(storedThread(this.threadId), position, at);
  }

  #show(event: RunEvent): void {
    if (event.type === "token") {
      this.#change({ speech: this.#view.speech + event.text });
    } else {
      this.#change({ messages: this.#with(event.messages), speech: "" });
      this.#announce();
    }
  }

  #announce(): void {
    tellTabs({ type: "changed", threadId: this.threadId });
  }

  /** Shows what another tab does, and waits for the lock to go on with what may be left unfinished. */
  async #follow(): Promise<void> {
    const opened = this.#opened;
    if (opened === undefined || this.#run !== undefined) return;
    this.#elsewhere = await isTaken(this.threadId);
    void this.#refresh();
    if (this.#waiting) return;
    this.#waiting = true;
    try {
      await withThread(this.threadId, opened.signal, () => this.#takeOver());
    } catch (error) {
      if (!opened.signal.aborted) this.#change({ problem: problemOf(error) });
    } finally {
      this.#waiting = false;
    }
    // Another tab may have taken the lock again before this one noticed that it had let go.
    if (this.#elsewhere) await this.#follow();
  }

  async #takeOver(): Promise<void> {
    this.#elsewhere = false;
    const stored = await this.#refresh();
    if (stored?.standing !== "unfinished" || this.#run !== undefined) return;
    const run = new AbortController();
    this.#run = run;
    this.#change({ phase: "running", resumed: true });
    await this.#settle(run, () => this.#advance(run, { input: null }));
  }

  async #read(): Promise<StoredThread | undefined> {
    try {
      const stored = await readThread(this.threadId);
      const { standing, at, step, problem } = stored;
      const shown = this.#joined(stored);
      const alternatives = await alternativesIn(storedThread(this.threadId), { ...shown, at });
      if (this.#run !== undefined) return undefined;
      this.#change({ ...shown, at, step, problem, alternatives, phase: this.#elsewhere ? "elsewhere" : standing, speech: "" });
      return stored;
    } catch (error) {
      if (this.#run === undefined) this.#change({ phase: "unreadable", problem: problemOf(error) });
      return undefined;
    }
  }

  #with(messages: readonly BaseMessage[]): readonly BaseMessage[] {
    return addMessages([...this.#view.messages], [...messages]);
  }

  /** The window that was read, under what is shown of the thread above it. */
  #joined({ messages, start }: StoredThread): Pick<View, "messages" | "start"> {
    const { messages: shown, start: from } = this.#view;
    const above = start - from;
    if (above <= 0 || shown[above]?.id !== messages[0]?.id) return { messages, start };
    return { messages: [...shown.slice(0, above), ...messages], start: from };
  }

  #change(change: Partial<View>): void {
    this.#view = { ...this.#view, ...change };
    for (const listener of this.#listeners) listener();
  }
}
