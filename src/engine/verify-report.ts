import type { ThreadId } from "../idb/index.ts";
import type { Finding, NoteCode, ProblemCode, VerifyReport } from "./types.ts";

/** Where something was found: a row's store, and its key or what its key stands for. */
export interface Where {
  readonly store: string;
  readonly key: unknown;
}

/** What is found out about one thread, or about rows of none. */
export class Report implements VerifyReport {
  readonly checked = { threads: 0, checkpoints: 0, writes: 0, elements: 0, bytes: 0 };
  readonly problems: Finding<ProblemCode>[] = [];
  readonly notes: Finding<NoteCode>[] = [];
  readonly #thread: ThreadId | undefined;

  constructor(thread: ThreadId | undefined) {
    this.#thread = thread;
  }

  problem(code: ProblemCode, where: Where, sentence: string): void {
    this.problems.push(this.#finding(code, where, sentence));
  }

  note(code: NoteCode, where: Where, sentence: string): void {
    this.notes.push(this.#finding(code, where, sentence));
  }

  /** What `read` makes of a row; undefined, and a problem, if the row cannot be read. */
  readable<T>(where: Where, read: () => T): T | undefined {
    try {
      return read();
    } catch {
      this.problem("damaged", where, "The bytes of this row are not those that were written: what it held is lost.");
      return undefined;
    }
  }

  #finding<Code extends ProblemCode | NoteCode>(code: Code, { store, key }: Where, sentence: string): Finding<Code> {
    return { code, ...(this.#thread === undefined ? {} : { thread: this.#thread }), store, key: JSON.stringify(key), sentence };
  }
}
