import type { ThreadInfo } from "langgraph-checkpoint-indexeddb/threads";
import { saver } from "./saver.ts";
import { isPinned } from "./threads.ts";

const PAGE = 200;

export interface ThreadListView {
  /** Pinned ones first, then by when they were written to last. */
  readonly threads: readonly ThreadInfo[];
  /** Everything there is has been read. */
  readonly complete: boolean;
  readonly failure: unknown;
}

const byPinAndTime = (a: ThreadInfo, b: ThreadInfo): number => Number(isPinned(b)) - Number(isPinned(a)) || b.updated.getTime() - a.updated.getTime();

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
    if (this.#loading || this.#view.complete) return;
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

  /** Reads one thread again. */
  async refresh(id: string): Promise<void> {
    const thread = await saver.threads.get(id);
    if (thread === undefined) this.#known.delete(id);
    else this.#known.set(id, thread);
    this.#show({});
    void this.load();
  }

  /** A run changes its thread many times a second: one look per frame and thread is enough. */
  #note(id: string): void {
    if (this.#changed.size === 0) {
      setTimeout(() => {
        const changed = [...this.#changed];
        this.#changed.clear();
        Promise.all(changed.map((each) => this.refresh(each))).catch((failure: unknown) => this.#show({ failure }));
      }, 100);
    }
    this.#changed.add(id);
  }

  #show(change: Partial<ThreadListView>): void {
    this.#view = { ...this.#view, threads: [...this.#known.values()].sort(byPinAndTime), ...change };
    for (const listener of this.#listeners) listener();
  }
}

export const threadList = new ThreadList();
