import type { BaseMessage } from "@langchain/core/messages";
import { contentBytes as bytesOf, transcript } from "./conversation.ts";
import { Loader } from "./loader.ts";
import type { Traffic } from "./meter.ts";
import { PageMeter } from "./metered.ts";
import type { StoreSize } from "./rows.ts";
import { openSubject, sizesOf, type Subject, type SubjectName } from "./subjects.ts";
import { type Tallies, type Tally, traceCalls, traceRequests } from "./trace.ts";
import { assertMessages, assertSame, type Chat, openArrayChat, openChat, type Workload } from "./workload.ts";

/** One row of the tables: what keeps the chat, in which kind of channel, how long. */
export interface Case {
  readonly subject: SubjectName;
  /** Of a graph; an array has none. */
  readonly workload: Workload | undefined;
  readonly turns: number;
}

interface Open {
  readonly name: SubjectName;
  readonly subject: Subject;
  readonly workload: Workload | undefined;
  readonly chat: Chat;
  readonly script: readonly BaseMessage[];
  readonly meter: PageMeter | undefined;
  said: number;
}

let open: Open | undefined;
let tallies: Tallies | undefined;

function started(): Open {
  if (open === undefined) throw new Error("start() comes first");
  return open;
}

function openCase({ subject: name, workload }: Case, script: readonly BaseMessage[], meter?: PageMeter): Open {
  const subject = openSubject(name, meter);
  if ("array" in subject) return { name, subject, workload, script, chat: openArrayChat(subject.array, script), meter, said: 0 };
  if (workload === undefined) throw new Error(`${name} needs a workload`);
  return { name, subject, workload, script, chat: openChat(workload, subject.saver, script), meter, said: 0 };
}

function check({ name, workload, subject }: Open, messages: Awaited<ReturnType<Chat["messages"]>>, expected: readonly BaseMessage[]): void {
  try {
    ("saver" in subject ? assertMessages : assertSame)(messages, expected);
  } catch (cause) {
    throw new Error(`${name} ${JSON.stringify(workload)} reads something else than what was written`, { cause });
  }
}

/** Opens what keeps the chat, and makes all content; nothing is timed. With a meter, `traffic` tells what was written. */
export function start(measured: Case, { metered }: { metered: boolean }): void {
  open = openCase(measured, transcript(measured.turns), metered ? new PageMeter() : undefined);
}

/** Runs the next `count` turns and gives the time of each. */
export async function turns(count: number): Promise<number[]> {
  const opened = started();
  const times: number[] = [];
  for (let i = 0; i < count; i += 1) {
    const before = performance.now();
    await opened.chat.turn(opened.said);
    times.push(performance.now() - before);
    opened.said += 1;
    opened.meter?.size();
  }
  return times;
}

/** Reads the newest state `count` times with everything open, and checks it. */
export async function warmReads(count: number): Promise<number[]> {
  const opened = started();
  const expected = opened.script.slice(0, 2 * opened.said);
  const times: number[] = [];
  for (let i = 0; i < count; i += 1) {
    const before = performance.now();
    const messages = await opened.chat.messages();
    times.push(performance.now() - before);
    check(opened, messages, expected);
  }
  return times;
}

/** On a fresh page: from nothing to the newest state, checked. `MemorySaver` finds an empty thread. */
export async function coldRead(measured: Case): Promise<number> {
  const before = performance.now();
  open = openCase(measured, []);
  const messages = await open.chat.messages();
  const time = performance.now() - before;
  check(open, messages, transcript(measured.subject === "memory" ? 0 : measured.turns));
  return time;
}

export async function close(): Promise<void> {
  const { subject } = started();
  await ("saver" in subject ? subject.saver.close?.() : subject.array.close?.());
  open = undefined;
}

/** Every store's rows, of what is open. */
export const stores = (): Promise<StoreSize[]> => sizesOf(started().name, started().subject);

/** What went to the disk since the last call. */
export function traffic(): Promise<Traffic> {
  const { meter } = started();
  if (meter === undefined) throw new Error("not metered");
  return meter.take();
}

export const contentBytes = (count: number): number => bytesOf(transcript(count));

/** The origin's bytes by `navigator.storage.estimate()`, once they have stood still for a second; undefined where there is none. */
export async function usage(): Promise<number | undefined> {
  if (!("storage" in navigator)) return undefined;
  let [bytes, still] = [-1, 0];
  for (let asked = 0; asked < 100 && still < 5; asked += 1) {
    const now = (await navigator.storage.estimate()).usage ?? 0;
    still = now === bytes ? still + 1 : 0;
    bytes = now;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  return bytes;
}

/** Whether this browser has the origin private file system in which SQLite keeps its database. */
export const hasPrivateFiles = (): boolean => "storage" in navigator && "getDirectory" in navigator.storage;

/** From now on, count the graph's calls of the saver, or the requests to IndexedDB: for the profile, never in a timed run. */
export function trace(what: "calls" | "requests"): void {
  const { subject } = started();
  if (!("saver" in subject)) throw new Error("only a saver is traced");
  tallies = what === "calls" ? traceCalls(subject.saver) : traceRequests();
}

export const traced = (): Tally[] => tallies?.take() ?? [];

/** Brings the open thread to turn `until` without running the graph. */
export async function skipTo(until: number): Promise<void> {
  const opened = started();
  if (!("saver" in opened.subject) || opened.workload === undefined) throw new Error("only a graph's thread is skipped");
  const { workload, script, subject } = opened;
  const channels = { messages: workload.channel === "plain" ? ("plain" as const) : workload.frequency };
  const loader = await Loader.resume(subject.saver, channels, { messages: script.slice(0, 2 * opened.said) });
  for (; opened.said < until; opened.said += 1) {
    await loader.turn(script.slice(2 * opened.said, 2 * opened.said + 1), script.slice(2 * opened.said + 1, 2 * opened.said + 2));
  }
}
