import { build } from "esbuild";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

export interface Site {
  readonly url: string;
  /** How many steps each writer has said are acknowledged. */
  readonly acknowledged: readonly number[];
  close(): Promise<void>;
}

/** Serves the writers' page, and hears from them what was acknowledged, which outlives the browser. */
export async function serveSite(): Promise<Site> {
  const files = new Map<string, string>([["/", '<!doctype html><link rel="icon" href="data:,"><script type="module" src="/writer.js"></script>']]);
  for (const [name, entry] of [["/writer.js", here("./writer.ts")], ["/host.js", here("../../src/worker/host.ts")]] as const) {
    const { outputFiles } = await build({ entryPoints: [entry], bundle: true, format: "esm", target: "es2022", write: false });
    files.set(name, outputFiles[0]!.text);
  }
  const acknowledged = [0, 0];
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? "/", "http://localhost").pathname;
    const [, writer, count] = /^\/acknowledged\/(\d)\/(\d+)$/.exec(path) ?? [];
    if (writer !== undefined) acknowledged[Number(writer)] = Math.max(acknowledged[Number(writer)] ?? 0, Number(count));
    const type = path.endsWith(".js") ? "text/javascript" : "text/html";
    response.writeHead(writer !== undefined || files.has(path) ? 200 : 404, { "content-type": type }).end(files.get(path));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    acknowledged,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
