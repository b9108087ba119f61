import type { CDPSession, Page } from "playwright";

/** The part of a CDP `Profiler.Profile` that is read here. */
export interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: {
      readonly functionName: string;
      readonly url: string;
      readonly lineNumber: number;
      readonly columnNumber: number;
    };
    readonly children?: readonly number[];
  }[];
  readonly samples?: readonly number[];
  readonly timeDeltas?: readonly number[];
}

export interface ThreadProfile {
  readonly thread: "main" | "worker";
  readonly profile: CpuProfile;
}

type Send = (method: string, params?: object) => Promise<unknown>;

const samplingMicroseconds = 100;

/** Samples a page's main thread and its workers at once, through the DevTools protocol. */
export class Sampler {
  readonly #page: CDPSession;
  readonly #workers: Send[] = [];
  #sampling = false;

  private constructor(page: CDPSession) {
    this.#page = page;
  }

  static async attach(page: Page): Promise<Sampler> {
    const session = await page.context().newCDPSession(page);
    const sampler = new Sampler(session);
    session.on("Target.attachedToTarget", ({ sessionId, targetInfo }) => {
      if (targetInfo.type === "worker") void sampler.#adopt(workerChannel(session, sessionId));
    });
    await session.send("Target.setAutoAttach", { autoAttach: true, waitForDebuggerOnStart: true, flatten: false });
    return sampler;
  }

  async start(): Promise<void> {
    this.#sampling = true;
    for (const send of this.#threads()) await startOn(send);
  }

  /** A worker waits for this before its first line. */
  async #adopt(send: Send): Promise<void> {
    this.#workers.push(send);
    if (this.#sampling) await startOn(send);
    await send("Runtime.runIfWaitingForDebugger");
  }

  async stop(): Promise<ThreadProfile[]> {
    this.#sampling = false;
    const profiles: ThreadProfile[] = [];
    for (const [at, send] of this.#threads().entries()) {
      const { profile } = (await send("Profiler.stop")) as { profile: CpuProfile };
      profiles.push({ thread: at === 0 ? "main" : "worker", profile });
    }
    return profiles;
  }

  #threads(): readonly Send[] {
    const main: Send = (method, params) => this.#page.send(method as "Profiler.stop", params);
    return [main, ...this.#workers];
  }
}

async function startOn(send: Send): Promise<void> {
  await send("Profiler.enable");
  await send("Profiler.setSamplingInterval", { interval: samplingMicroseconds });
  await send("Profiler.start");
}

/** A worker's own protocol session comes through the page's as messages in an envelope. */
function workerChannel(page: CDPSession, sessionId: string): Send {
  const waiting = new Map<number, { resolve(result: unknown): void; reject(error: Error): void }>();
  let lastId = 0;
  page.on("Target.receivedMessageFromTarget", (event) => {
    if (event.sessionId !== sessionId) return;
    const answer: { id?: number; result?: unknown; error?: { message: string } } = JSON.parse(event.message);
    if (answer.id === undefined) return;
    const caller = waiting.get(answer.id);
    waiting.delete(answer.id);
    if (answer.error === undefined) caller?.resolve(answer.result);
    else caller?.reject(new Error(answer.error.message));
  });
  return (method, params = {}) =>
    new Promise((resolve, reject) => {
      lastId += 1;
      waiting.set(lastId, { resolve, reject });
      page
        .send("Target.sendMessageToTarget", { sessionId, message: JSON.stringify({ id: lastId, method, params }) })
        .catch(reject);
    });
}
