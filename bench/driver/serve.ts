import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";

const types: Readonly<Record<string, string>> = { ".html": "text/html", ".js": "text/javascript" };

export interface Server extends AsyncDisposable {
  readonly origin: string;
}

/** Serves a built page on an origin of its own, so that its storage is its own. Isolated, for a clock of 5 µs. */
export async function serve(folder: string): Promise<Server> {
  const server = createServer((request, response) => {
    const path = normalize(new URL(request.url ?? "/", "http://localhost").pathname);
    const name = path === "/" ? "index.html" : path;
    readFile(join(folder, name)).then(
      (body) => {
        response.writeHead(200, {
          "content-type": types[extname(name)] ?? "application/octet-stream",
          "cache-control": name === "index.html" ? "no-cache" : "public, max-age=31536000, immutable",
          "cross-origin-opener-policy": "same-origin",
          "cross-origin-embedder-policy": "require-corp",
        });
        response.end(body);
      },
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return {
    origin: `http://localhost:${address.port}`,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
