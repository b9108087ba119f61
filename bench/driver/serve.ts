import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { extname, join, normalize } from "node:path";
import { text } from "node:stream/consumers";
import { PageLine } from "./page-line.ts";

const types: Readonly<Record<string, string>> = { ".html": "text/html", ".css": "text/css", ".svg": "image/svg+xml", ".js": "text/javascript", ".wasm": "application/wasm" };

/**
 * `"own"` is a site of its own, since Firefox counts the disk by site and Chromium shares a process by it; `"shared"` is for a browser that
 * does not know that names under `localhost` are this machine.
 */
export type HostKind = "own" | "shared";

/** Serves a built page on an origin of its own, and talks with the pages that were loaded from it. */
export interface Server extends AsyncDisposable {
  /** The address of one more page, and the line to it. */
  page(file: "index.html" | "idle.html", host: HostKind): { readonly address: string; readonly line: PageLine };
  /** To be done before the server closes. */
  beforeClose(task: () => Promise<void>): void;
}

/** The page is cross-origin isolated, for a fine clock. */
export async function serve(folder: string): Promise<Server> {
  const lines = new Map<string, PageLine>();
  const tasks: (() => Promise<void>)[] = [];
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
    const line = lines.get(searchParams.get("page") ?? "");
    if (pathname === "/commands") line?.listens(response);
    else if (pathname === "/answers") void answered(request, response, line);
    else void file(pathname, response);
  });

  async function file(pathname: string, response: ServerResponse): Promise<void> {
    const name = normalize(pathname);
    try {
      const body = await readFile(join(folder, name));
      response.writeHead(200, {
        "content-type": types[extname(name)] ?? "application/octet-stream",
        "cache-control": name.endsWith(".html") ? "no-cache" : "public, max-age=31536000, immutable",
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-embedder-policy": "require-corp",
      });
      response.end(body);
    } catch {
      response.writeHead(404).end();
    }
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return {
    page(file, host) {
      const [id, line] = [String(lines.size), new PageLine()];
      lines.set(id, line);
      return { address: `http://${host === "own" ? `bench-${address.port}.` : ""}localhost:${address.port}/${file}?page=${id}`, line };
    },
    beforeClose(task) {
      tasks.push(task);
    },
    async [Symbol.asyncDispose]() {
      for (const task of tasks) await task();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}

async function answered(request: IncomingMessage, response: ServerResponse, line: PageLine | undefined): Promise<void> {
  line?.answers(JSON.parse(await text(request)));
  response.writeHead(204).end();
}
