import { type Branch, type Channel, type ContentKey, contentPages, contentRows, type Namespace, ranges, type Reading, type ThreadKey } from "../idb/index.ts";
import { GONE, unpackElements } from "./elements.ts";
import { hash } from "./hash.ts";
import { BLOCK, sameBytes } from "./log.ts";
import type { Ref } from "./ref.ts";
import type { Report, Where } from "./verify-report.ts";

interface Stretch {
  readonly start: number;
  end: number;
}

/** Which positions of a thread's logs are there: for a log without a fault one stretch. */
export class Contents {
  readonly #logs = new Map<string, Stretch[]>();
  /** Of the rows. */
  bytes = 0;

  /** Elements from a position on. */
  add(namespace: Namespace, channel: Channel, branch: Branch, position: number, elements: readonly Uint8Array[]): void {
    let from = 0;
    for (let to = 0; to <= elements.length; to++) {
      if (to < elements.length && elements[to] !== GONE) continue;
      if (to > from) this.#add(JSON.stringify([namespace, channel, branch]), position + from, position + to);
      from = to + 1;
    }
  }

  #add(name: string, start: number, end: number): void {
    const stretches = this.#logs.get(name);
    const last = stretches?.at(-1);
    if (stretches === undefined) this.#logs.set(name, [{ start, end }]);
    else if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end);
    else stretches.push({ start, end });
  }

  /** Reports what a value refers to and is not there. */
  require(report: Report, where: Where, namespace: Namespace, channel: Channel, ref: Ref): void {
    if ("bytes" in ref) return;
    for (const { log: branch, start, length } of ref.pieces) {
      const stretches = this.#logs.get(JSON.stringify([namespace, channel, branch])) ?? [];
      if (stretches.some((stretch) => stretch.start <= start && start + length <= stretch.end)) continue;
      const place = `elements ${start} to ${start + length - 1} of the channel "${channel}", branch ${branch}`;
      report.problem("missing-content", where, `It refers to ${place}, and not all of them are there: it cannot be loaded.`);
    }
  }
}

/**
 * Reads all logs of a thread: their rows have to follow one another, and no element may be in a log twice. Of a thread that
 * something was removed from, whole blocks may be missing, if nothing refers to them.
 */
export async function verifyContent(tx: Reading, thread: ThreadKey, removals: number, report: Report): Promise<Contents> {
  const contents = new Contents();
  const begin = () => new LogCheck(tx, removals > 0, report);
  let log = begin();
  let name: string | undefined;
  for await (const page of contentPages(tx, ranges.thread(thread))) {
    for (const { key, value } of page) {
      const [, namespace, channel, branch, position] = key;
      if (name !== (name = JSON.stringify([namespace, channel, branch]))) log = begin();
      const elements = report.readable({ store: "content", key }, () => unpackElements(key, value));
      contents.bytes += elements === undefined ? 0 : value.length;
      if (elements !== undefined) contents.add(namespace, channel, branch, position, elements);
      await log.row(key, elements);
    }
  }
  return contents;
}

/** The walk through one log. It remembers a hash of each element, not the element. */
class LogCheck {
  readonly #tx: Reading;
  readonly #report: Report;
  readonly #mayLackBlocks: boolean;
  readonly #byHash = new Map<number, number[]>();
  /** Where the next row has to begin; undefined after one that cannot be read. */
  #next: number | undefined = 0;

  constructor(tx: Reading, mayLackBlocks: boolean, report: Report) {
    this.#tx = tx;
    this.#mayLackBlocks = mayLackBlocks;
    this.#report = report;
  }

  async row(key: ContentKey, elements: readonly Uint8Array[] | undefined): Promise<void> {
    const [, , , , start] = key;
    const where = { store: "content", key };
    if (this.#next !== undefined && start > this.#next) {
      if (!this.#mayLackBlocks || start % BLOCK !== 0 || this.#next % BLOCK !== 0) this.#report.note("gap", where, `The log has no elements ${this.#next} to ${start - 1}.`);
    } else if (this.#next !== undefined && start < this.#next) {
      this.#report.problem("overlap", where, `Elements ${start} to ${this.#next - 1} are in the row before too.`);
    }
    this.#next = elements && start + elements.length;
    if (elements === undefined) return;
    if ((start % BLOCK) + elements.length > BLOCK) {
      this.#report.problem("wrong-place", where, `A row ends at every multiple of ${BLOCK}; this one begins at ${start} and holds ${elements.length} elements.`);
    }
    for (const [offset, element] of elements.entries()) {
      if (element === GONE) continue;
      this.#report.checked.elements++;
      this.#report.checked.bytes += element.length;
      await this.#requireNew(key, start + offset, element);
    }
  }

  async #requireNew(key: ContentKey, position: number, element: Uint8Array): Promise<void> {
    const digest = hash(element, 0);
    const same = this.#byHash.get(digest);
    if (same === undefined) {
      this.#byHash.set(digest, [position]);
      return;
    }
    for (const earlier of same) {
      if (!sameBytes(await this.#elementAt(key, earlier), element)) continue;
      this.#report.note("stored-twice", { store: "content", key }, `Element ${position} is the same as element ${earlier} of its log.`);
      return;
    }
    same.push(position);
  }

  async #elementAt([thread, namespace, channel, branch]: ContentKey, position: number): Promise<Uint8Array | undefined> {
    const range = ranges.positions(thread, namespace, channel, branch, position - (position % BLOCK), position + 1);
    const row = (await contentRows(this.#tx, range)).findLast(({ key }) => key[4] <= position);
    return row === undefined ? undefined : unpackElements(row.key, row.value)[position - row.key[4]];
  }
}
