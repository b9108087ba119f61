import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { encryption } from "../measurements/encryption.ts";
import { measurements } from "../measurements/index.ts";
import type { EngineName } from "./browser.ts";
import { boundOf, type Claim, isKept, valueOf } from "./claim.ts";
import { readResults, type Results } from "./results.ts";
import { type Cell, table } from "./table.ts";

const engineTitles: Readonly<Record<EngineName, string>> = { chromium: "Chromium", firefox: "Firefox", webkit: "WebKit" };
const engineNames = Object.keys(engineTitles) as EngineName[];

/** Puts what is held to into README.md, what encryption costs into its guide, and all tables into bench/README.md. */
export async function publish(): Promise<void> {
  const all = await Promise.all(engineNames.map(async (engine) => ({ engine, results: await readResults(engine) })));
  const measured = all.filter((each): each is { engine: EngineName; results: Results } => each.results !== undefined);
  const missing = all.filter(({ results }) => results === undefined).map(({ engine }) => engineTitles[engine]);
  const where = measured.map(({ results: { environment: at, measured: sections } }) => `${at.browser} (${days(sections)})`);
  const [first] = measured;
  if (first === undefined) throw new Error("there are no results to publish");
  const { cpu, cores, os, packages } = first.results.environment;
  const about = [
    `${where.join(", ")}; ${cpu}, ${cores} cores, ${os}; ${packages.join(", ")}.`,
    ...(missing.length === 0 ? [] : [`Not measured on this machine: ${missing.join(", ")}.`]),
  ].join(" ");
  await between("../../README.md", `${about}\n\n${claimTable(measured)}`);
  await between("../../docs/encryption.md", measured.flatMap(costOfEncryption).join("\n\n"));
  await between("../README.md", `${about}\n\n${measured.map(({ engine, results }) => detailsOf(engine, results)).join("\n\n")}`);
}

function claimTable(measured: readonly { readonly engine: EngineName; readonly results: Results }[]): string {
  const rows = measurements.flatMap((measurement): Cell[][] => {
    const byEngine = measured.map(({ results }) => {
      const section = results.measured[measurement.name];
      return section === undefined ? [] : measurement.claims(section.seen);
    });
    const longest = byEngine.toSorted((a, b) => b.length - a.length)[0] ?? [];
    return longest.map(({ what }, at) => {
      const claims = byEngine.map((each) => each[at]);
      const bounds = [...new Set(claims.flatMap((claim) => (claim === undefined ? [] : [boundOf(claim)])))];
      return [what, ...claims.map(shown), bounds.join(" or ")];
    });
  });
  return table(["", ...measured.map(({ engine }) => engineTitles[engine]), "goal"], rows);
}

const shown = (claim: Claim | undefined): Cell =>
  claim === undefined || claim.value === undefined || isKept(claim) ? claim && valueOf(claim) : `**${valueOf(claim)}**`;

function costOfEncryption({ results: { environment, measured } }: { readonly results: Results }): readonly string[] {
  const section = measured[encryption.name];
  if (section === undefined) return [];
  return [`${environment.browser}, ${environment.cpu}, ${environment.cores} cores (${section.date.slice(0, 10)}):`, ...encryption.tables(section.seen as Parameters<typeof encryption.tables>[0])];
}

function detailsOf(engine: EngineName, { environment, measured }: Results): string {
  const sections = measurements.flatMap((measurement) => {
    const section = measured[measurement.name];
    return section === undefined ? [] : [`#### ${measurement.title}`, ...measurement.tables(section.seen)];
  });
  return [`### ${engineTitles[engine]}: ${environment.browser}`, ...sections].join("\n\n");
}

function days(measured: Results["measured"]): string {
  const dates = Object.values(measured).map(({ date }) => date.slice(0, 10)).toSorted();
  const [first, last] = [dates[0], dates.at(-1)];
  return first === last ? String(first) : `${first} to ${last}`;
}

async function between(relative: string, tables: string): Promise<void> {
  const file = fileURLToPath(new URL(relative, import.meta.url));
  const text = await readFile(file, "utf8");
  const marked = /(<!-- bench:start -->).*(<!-- bench:end -->)/s;
  if (!marked.test(text)) throw new Error(`${file} has no <!-- bench:start --> and <!-- bench:end -->`);
  await writeFile(file, text.replace(marked, (_, start: string, end: string) => `${start}\n\n${tables}\n\n${end}`));
}
