import { readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { join } from "node:path";

export interface Origin {
  /** A package, a folder of ours, or what the engine itself calls it: `(idle)`, `(program)`, a native function. */
  readonly party: string;
  /** The function's file and line, empty for the engine itself. */
  readonly place: string;
}

/** Tells by the source maps of a build where a function comes from. */
export class Origins {
  readonly #folder: string;
  readonly #maps = new Map<string, SourceMap>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  of(url: string, line: number, column: number): Origin | undefined {
    if (!url.startsWith("http")) return undefined;
    const { pathname } = new URL(url);
    const entry = this.#map(pathname).findEntry(line, column);
    const source = "originalSource" in entry ? entry.originalSource : pathname;
    const [, inPackage, name] = /^.*node_modules\/(((?:@[^/]+\/)?[^/]+).*)$/.exec(source) ?? [];
    const ours = source.replace(/^(\.\.\/)+/, "");
    const party = name ?? ours.split("/").slice(0, 2).join("/");
    return { party, place: `${inPackage ?? ours}:${"originalLine" in entry ? entry.originalLine + 1 : line + 1}` };
  }

  #map(pathname: string): SourceMap {
    const known = this.#maps.get(pathname);
    if (known !== undefined) return known;
    const map = new SourceMap(JSON.parse(readFileSync(join(this.#folder, `${pathname}.map`), "utf8")));
    this.#maps.set(pathname, map);
    return map;
  }
}
