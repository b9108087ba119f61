// WebKit for vitest's browser mode: a provider that opens vitest's page in WebKitGTK's MiniBrowser.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineBrowserProvider } from "@vitest/browser";
import { openMiniBrowser, virtualDisplay } from "./minibrowser.mjs";

/** @returns {import("vitest/node").BrowserProvider} */
function miniBrowser() {
  const home = mkdtempSync(join(tmpdir(), "webkit-"));
  const display = virtualDisplay();
  display.catch(() => undefined); // openPage says so
  /** @type {Map<string, ReturnType<typeof openMiniBrowser>>} */
  const windows = new Map();
  return {
    name: "minibrowser",
    supportsParallelism: false,
    getCommandsContext: () => ({}),
    async openPage(sessionId, address) {
      await windows.get(sessionId)?.kill();
      windows.set(sessionId, openMiniBrowser({ address, home, display: (await display).name }));
    },
    async close() {
      for (const window of windows.values()) await window.kill();
      await display.then((screen) => screen.kill(), () => undefined);
      rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    },
  };
}

/** For `test.browser.provider`. */
export const webkit = () => defineBrowserProvider({ name: "minibrowser", supportedBrowser: ["webkit"], providerFactory: miniBrowser });
