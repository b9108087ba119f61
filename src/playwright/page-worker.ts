/// <reference types="node" />
import { readFile } from "node:fs/promises";
import type { BrowserContext, Page } from "@playwright/test";
import { ASK, type Ask, wire } from "./wire.ts";

/** An address of the origin that the application does not have. */
const ADDRESS = "/__langgraph-checkpoint-indexeddb";

/**
 * Stands in for a Worker: its engine is in a page of its own, of the application's origin and in the same browser context, and so has the same databases. The
 * page is made by a route: neither the application nor its content security policy have a part in it.
 */
export class PageWorker extends EventTarget {
  readonly #context: BrowserContext;
  readonly #origin: string;
  #opening: Promise<Page> | undefined;

  constructor(context: BrowserContext, origin: string) {
    super();
    this.#context = context;
    this.#origin = origin;
  }

  postMessage(message: unknown): void {
    this.#ask(message).then(
      (answer) => this.dispatchEvent(new MessageEvent("message", { data: answer })),
      (reason: unknown) => this.dispatchEvent(Object.assign(new Event("error"), { message: String(reason) })),
    );
  }

  /** The page stays for the next call. */
  terminate(): void {}

  async close(): Promise<void> {
    await (await this.#opening)?.close();
  }

  async #ask(message: unknown): Promise<unknown> {
    const packed = Uint8Array.from(wire.pack(message)); // what it holds now: later it may be something else
    const page = await (this.#opening ??= this.#open());
    const answer = await page.evaluate(([name, asked]) => (globalThis as unknown as Record<string, Ask>)[name]!(asked), [ASK, packed] as const);
    return wire.unpack(Uint8Array.from(answer));
  }

  async #open(): Promise<Page> {
    const page = await this.#context.newPage();
    const address = new URL(ADDRESS, this.#origin).href;
    await page.route(address, (route) => route.fulfill({ contentType: "text/html", body: '<!doctype html><title>Threads</title><link rel="icon" href="data:,">' }));
    await page.goto(address);
    await page.evaluate(await readFile(new URL("./page.iife.js", import.meta.url), "utf8"));
    return page;
  }
}
