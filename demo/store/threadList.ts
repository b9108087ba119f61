import type { ThreadInfo } from "langgraph-checkpoint-indexeddb/threads";
import { saver } from "./saver.ts";

const PAGE = 200;
/** From a change to the look at what it was. */
const LOOK_MS = 100;

export interface ThreadListView {
  /** Pinned ones first, then by when they were written to last. */
  readonly threads: readonly ThreadInfo[];
  /** Everything there is has been read. */
  readonly complete: boolean;
  readonly failure: unknown;
}

const byPinAndTime = (a: ThreadInfo, b: ThreadInfo): number => Number(b.pinned) - Number(a.pinned) || b.updated.getTime() - a.updated.getTime();

/** The threads of the database: read page by page once, and each again when a tab has changed it. */
class ThreadList {
  #view: ThreadListView = { threads: [], complete: false, failure: undefined };
  #loading = false;
  #watching = false;
  readonly #known = new Map<string, ThreadInfo>();
  readonly #changed = new Set<string>();
  readonly #listeners = new Set<() => void>();

  get view(): ThreadListView {
    return this.#view;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    if (!this.#watching) saver.threads.watch(({ thread }) => this.#note(thread));
    this.#watching = true;
    void this.load();
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  };

  /** Reads all pages, unless that is done or under way. */
  async load(): Promise<void> {
    if (this.#loading || (this.#view.complete && this.#view.failure === undefined)) return;
    this.#loading = true;
    try {
      let page: ThreadInfo[];
      let after: ThreadInfo | undefined;
      do {
        page = await saver.threads.list({ limit: PAGE, ...(after !== undefined && { after }) });
        for (const thread of page) this.#known.set(thread.id, thread);
        after = page.at(-1);
        this.#show({ complete: page.length < PAGE, failure: undefined });
      } while (page.length === PAGE);
    } catch (failure) {
      this.#show({ failure });
    } finally {
      this.#loading = false;
    }
  }

  /** Reads some threads again. */
  async refresh(...ids: readonly string[]): Promise<void> {
    const threads = await Promise.all(ids.map((id) => saver.threads.get(id)));
    for (const [index, id] of ids.entries()) {
      const thread = threads[index];
      if (thread === undefined) this.#known.delete(id);
      else this.#known.set(id, thread);
    }
    this.#show(this.#view.complete ? { failure: undefined } : {});
    void this.load();
  }

  /** A run changes its thread many times a second: one look at a time is enough. */
  #note(id: string): void {
    if (this.#changed.size === 0) setTimeout(() => void this.#look(), LOOK_MS);
    this.#changed.add(id);
  }

  async #look(): Promise<void> {
    const changed = [...this.#changed];
    this.#changed.clear();
    try {
      await this.refresh(...changed);
    } catch (failure) {
      this.#show({ failure });
    }
  }

  #show(change: Partial<ThreadListView>): void {
    this.#view = { ...this.#view, threads: [...this.#known.values()].sort(byPinAndTime), ...change };
    for (const listener of this.#listeners) listener();
  }
}

export const threadList = new ThreadList();
