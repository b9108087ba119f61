import type { Browser } from "./browser.ts";
import type { Claim } from "./claim.ts";

/** Where a measurement runs. */
export interface Site {
  readonly browser: Browser;
  /** The built page. */
  readonly folder: string;
  /** A tenth of the work, to see that all runs. */
  readonly quick: boolean;
  /** The names of the measurements of this run. */
  readonly selected: ReadonlySet<string>;
  /** What disk, writing and reading are measured with; empty for all. */
  readonly subjects: ReadonlySet<string>;
}

/** One thing that is measured. What `measure` gives is kept as JSON; the rest is derived from it. */
export interface Measurement<Seen = unknown> {
  readonly name: string;
  readonly title: string;
  measure(site: Site): Promise<Seen>;
  claims(seen: Seen): readonly Claim[];
  tables(seen: Seen): readonly string[];
}
