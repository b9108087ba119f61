import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";

export interface Served {
  readonly url: string;
  close(): Promise<void>;
}

const types: Record<string, string> = { ".html": "text/html", ".js": "text/javascript" };

/** Nothing but what the server has: no inline scripts, no `eval`, no worker of a blob. */
export const strictPolicy = "script-src 'self'; worker-src 'self'";

/** Serves a folder on a port of its own, under a content security policy; a file that is not there is a 404. */
export async function serveFolder(folder: string, policy = strictPolicy): Promise<Served> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    const path = join(folder, pathname === "/" ? "index.html" : pathname);
    readFile(path).then(
      (content) => response.writeHead(200, { "content-type": types[extname(path)] ?? "text/plain", "content-security-policy": policy }).end(content),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
