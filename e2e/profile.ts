import type { BrowserContext } from "@playwright/test";
import { readlinkSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Chat } from "./chat.ts";

interface Options {
  readonly folder: string;
  readonly watched: (context: BrowserContext) => Promise<void>;
  readonly launch: (folder: string) => Promise<BrowserContext>;
}

/** A browser profile on disk, which a browser can be killed on and started on again. */
export class Profile {
  readonly #options: Options;
  #context: BrowserContext | undefined;

  constructor(options: Options) {
    this.#options = options;
  }

  async launch(address = "/"): Promise<Chat> {
    this.#context = await this.#options.launch(this.#options.folder);
    await this.#options.watched(this.#context);
    const page = this.#context.pages()[0] ?? (await this.#context.newPage());
    await page.goto(address);
    return new Chat(page);
  }

  /** SIGKILL, so that nothing is flushed, closed or said goodbye to. */
  async kill(): Promise<void> {
    const pid = Number(readlinkSync(join(this.#options.folder, "SingletonLock")).split("-").at(-1));
    process.kill(pid, "SIGKILL");
    while (isAlive(pid)) await delay(20);
    await this.#context?.close().catch(() => undefined);
    for (const lock of ["SingletonLock", "SingletonSocket", "SingletonCookie"]) rmSync(join(this.#options.folder, lock), { force: true });
  }

  async quit(): Promise<void> {
    await this.#context?.close();
  }

  async discard(): Promise<void> {
    await this.quit();
    rmSync(this.#options.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
