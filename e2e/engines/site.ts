import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { build, type Plugin, type Rolldown } from "vite";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** How long no page may say anything new: the machine may be busy. */
const PATIENCE_MS = 120_000;

/** What a page has said of itself. */
export interface Report {
  /** How many checkpoints of its thread it found when it was loaded, all of which were what they should be. */
  found?: number;
  /** How many of them are acknowledged, by this life and the ones before. */
  acknowledged: number;
  /** How often it came back as it was from the back/forward cache. */
  restored: number;
  /** It has written all that it was to write. */
  written: boolean;
  /** And found all of it. */
  finished: boolean;
  failed?: string;
}

/** What a page is told when it says something. */
export type Order = "wait" | "go" | "reload" | "leave";

export interface Site extends AsyncDisposable {
  readonly url: string;
  /** By the page's name. */
  report(page: string): Report;
  /** What a page is told next, once. */
  order(page: string, order: Order): void;
  /** @throws Error when a page says that it failed, or nothing for too long */
  until(pages: readonly string[], holds: (report: Report) => boolean): Promise<void>;
}

const icon = '<!doctype html><link rel="icon" href="data:,"><body>';

/** As a later release of the package would be, whose databases have another format. */
const later: Plugin = {
  name: "later",
  transform(source, id) {
    if (!/idb.schema\.ts$/.test(id)) return undefined;
    const code = source.replace("const FORMAT = 1;", "const FORMAT = 2;");
    if (code === source) throw new Error("the format is not where it was");
    return { code, map: null };
  },
};

/** What a bundler makes of a module that may be loaded in several files, by path; the first of them is called `name`. */
async function bundle(entry: string, name: string, plugins: Plugin[] = []): Promise<[path: string, code: string][]> {
  const output = { entryFileNames: "[name].js", chunkFileNames: `${name}-[name]-[hash].js` };
  const rolldownOptions = { input: { [name]: here(entry) }, output };
  const built = await build({ configFile: false, logLevel: "error", plugins, build: { write: false, target: "es2022", minify: false, modulePreload: false, rolldownOptions } });
  return (built as Rolldown.RolldownOutput).output.flatMap((file) => (file.type === "chunk" ? [[`/${file.fileName}`, file.code]] : []));
}

let made: Promise<Map<string, string>> | undefined;

async function makeFiles(): Promise<Map<string, string>> {
  const worker = "../../src/worker/host.ts";
  const bundled = await Promise.all([
    bundle("./page.ts", "page"),
    bundle(worker, "host"),
    bundle("./handle.ts", "handle"),
    bundle(worker, "later-host", [later]),
    bundle("./handle.ts", "later-handle", [later]),
  ]);
  return new Map([
    ["/", `${icon}<script type="module" src="/page.js"></script>`],
    ["/away", `${icon}<script>addEventListener("pageshow", () => setTimeout(() => history.back(), 300))</script>`],
    ["/open", `${icon}<script>for (const address of new URLSearchParams(location.search).getAll("address")) open(address, "_blank", "noopener")</script>`],
    ["/handle", `${icon}<script type="module" src="/handle.js"></script>`],
    ["/later", `${icon}<script type="module" src="/later-handle.js"></script>`],
    ...bundled.flat(),
  ]);
}

/** Serves the pages that write, and hears from them what was acknowledged, which outlives the browser. */
export async function serveSite(): Promise<Site> {
  const files = await (made ??= makeFiles());
  const reports = new Map<string, Report>();
  const orders = new Map<string, Order>();
  let newsAt = 0;
  const report = (page: string): Report => {
    const known = reports.get(page) ?? { acknowledged: 0, restored: 0, written: false, finished: false };
    reports.set(page, known);
    return known;
  };

  function hear(page: string, kind: string, word: string): Order {
    const heard = report(page);
    if (kind === "found") heard.found = Number(word);
    else if (kind === "acknowledged") heard.acknowledged = Math.max(heard.acknowledged, Number(word));
    else if (kind === "restored") heard.restored += 1;
    else if (kind === "written") heard.written = true;
    else if (kind === "finished") heard.finished = true;
    else if (kind === "failed") heard.failed ??= word;
    if (kind !== "waits") newsAt = performance.now();
    // What a page said before it was loaded anew may be heard after it waits again.
    const order = orders.get(page) ?? "wait";
    if ((kind === "waits") !== (order === "go")) return "wait";
    orders.delete(page);
    return order;
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
    if (pathname === "/say") return void response.end(hear(searchParams.get("page") ?? "", searchParams.get("kind") ?? "", await text(request)));
    if (pathname === "/clear") return void response.writeHead(200, { "clear-site-data": '"storage"' }).end();
    const type = pathname.endsWith(".js") ? "text/javascript" : "text/html";
    // Modules are fetched from a sandboxed frame too.
    response.writeHead(files.has(pathname) ? 200 : 404, { "content-type": type, "access-control-allow-origin": "*" }).end(files.get(pathname));
  }

  // A request of a browser that is killed breaks off.
  const server = createServer((request, response) => void answer(request, response).catch(() => response.destroy()));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    report,
    order: (page, order) => void orders.set(page, order),
    async until(pages, holds) {
      newsAt = performance.now();
      for (;;) {
        const failed = pages.find((page) => report(page).failed !== undefined);
        if (failed !== undefined) throw new Error(`${failed}: ${report(failed).failed}`);
        if (pages.every((page) => holds(report(page)))) return;
        if (performance.now() > newsAt + PATIENCE_MS) throw new Error(`nothing more was heard of ${pages.filter((page) => !holds(report(page))).join(", ")}`);
        await delay(2);
      }
    },
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
