/// <reference types="node" />
import { readFile, writeFile } from "node:fs/promises";
import type { CheckpointTuple } from "@langchain/langgraph-checkpoint";
import { type BrowserContext, expect } from "@playwright/test";
import { delta, messagesReducer } from "../channels/index.ts";
import { IndexedDBSaver, type IndexedDBSaverOptions } from "../saver/saver.ts";
import { checkpointsOf, type ThreadDump } from "./dump.ts";
import { storeLiteral, type ThreadLiteral } from "./literal.ts";
import { PageWorker } from "./page-worker.ts";
import { plain } from "./plain.ts";
import { stable } from "./stable.ts";

export interface PageThreadsOptions extends Pick<IndexedDBSaverOptions, "channels" | "name" | "types"> {
  /** Where the application is: any address of its origin. */
  readonly origin: string;
}

/** Threads that were exported, by `saver.threads.export()` or {@link PageThreads.save}. */
export interface ThreadFile {
  /** The path of the file. */
  readonly file: string;
  /** By the id in the file, the id that a thread is to have. Default: its own. */
  readonly ids?: Readonly<Record<string, string>>;
}

/** Milliseconds: so long that the limit of the test is the one that ends it, also where a browser takes its time to open a page. */
const PATIENCE = 300_000;

/** A thread's state, as JSON can hold it. */
export type PlainState = Readonly<Record<string, unknown>>;

/**
 * The threads in a browser context, for a test in Node. What it does goes through a page of its own, that is opened at the first use.
 *
 * `channels` are those that the state is made of, as a `ThreadStore` has them, where a delta channel is not just `messages`.
 */
export class PageThreads {
  /** The database of the page, as a checkpointer here: for a graph that goes on in Node, for `transferThread`, for `saver.threads`. */
  readonly saver: IndexedDBSaver;
  readonly #worker: PageWorker;

  constructor(context: BrowserContext, { origin, channels, ...options }: PageThreadsOptions) {
    this.#worker = new PageWorker(context, origin);
    this.saver = new IndexedDBSaver({
      ...options,
      channels: { messages: delta(messagesReducer), ...channels },
      worker: this.#worker as unknown as Worker,
      timeouts: { start: PATIENCE, call: PATIENCE },
    });
  }

  /** Stores a thread, or those of a file, each in place of one of that id. Before the page is loaded, say. */
  async put(thread: ThreadLiteral | ThreadFile): Promise<void> {
    if ("file" in thread) {
      await this.saver.threads.import(new Blob([await readFile(thread.file)]), { mode: "replace", ids: thread.ids ?? {} });
      return;
    }
    await this.saver.threads.delete(thread.id);
    await storeLiteral(this.saver, thread);
  }

  /** Writes a thread to a file, whole, for {@link put} in another test. */
  async save(id: string, file: string): Promise<void> {
    const exported = await new Response(this.saver.threads.export({ threads: [id] })).arrayBuffer();
    await writeFile(file, new Uint8Array(exported));
  }

  /** The newest state of a thread; `undefined` if there is none. */
  async state(id: string): Promise<PlainState | undefined> {
    const state = await this.saver.threads.thread(id).state();
    return state && (plain(state.values) as PlainState);
  }

  /**
   * Waits until a thread's state fulfils a condition, and gives it.
   *
   * @param options `timeout` in milliseconds. Default: that of `expect`
   */
  async reaches(id: string, condition: (state: PlainState) => boolean, options: { readonly timeout?: number } = {}): Promise<PlainState> {
    let state: PlainState | undefined;
    const fulfils = async () => {
      state = await this.state(id);
      return state !== undefined && condition(state);
    };
    await expect.poll(fulfils, { message: `the thread "${id}" reaches the state`, ...options }).toBe(true);
    return state!;
  }

  /** All that a thread holds. */
  async dump(id: string): Promise<ThreadDump> {
    const tuples: CheckpointTuple[] = [];
    for await (const tuple of this.saver.list({ configurable: { thread_id: id } })) tuples.push(tuple);
    const { title, metadata = {} } = (await this.saver.threads.get(id)) ?? {};
    return {
      id,
      ...(title === undefined ? {} : { title }),
      ...(Object.keys(metadata).length === 0 ? {} : { metadata: plain(metadata) }),
      state: (await this.state(id)) ?? {},
      checkpoints: checkpointsOf(tuples),
    };
  }

  /**
   * A thread as the text of a golden file: its dump, with UUIDs numbered as they come and without times, so that it differs from that of another run only
   * where the runs did.
   *
   * @param options `ids`: what else is an id that every run makes anew, such as `/call_\w+/`
   */
  async freeze(id: string, options: { readonly ids?: readonly RegExp[] } = {}): Promise<string> {
    return `${stable(JSON.stringify(await this.dump(id), undefined, 2), options.ids ?? [])}\n`;
  }

  async close(): Promise<void> {
    await this.saver.close();
    await this.#worker.close();
  }
}
