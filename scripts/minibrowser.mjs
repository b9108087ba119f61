// MiniBrowser, the browser that comes with WebKitGTK, on a display of its own. Under WebDriver its storage would be in memory, so it is
// started by hand, with a home of its own that holds what it stores; pages have to report by themselves.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { webkitPath } from "./browsers.mjs";

/** @typedef {{ kill(): Promise<void> }} Running */

/**
 * Ends with this process at the latest.
 * @param {import("node:child_process").ChildProcess} child
 * @returns {Running}
 */
function running(child) {
  const atExit = () => child.kill("SIGKILL");
  process.once("exit", atExit);
  return {
    async kill() {
      process.off("exit", atExit);
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exit = once(child, "exit");
      child.kill("SIGKILL");
      await exit;
    },
  };
}

/** @returns {Promise<Running & { name: string }>} a display that nobody sees */
export async function virtualDisplay() {
  const server = spawn("Xvfb", ["-displayfd", "3", "-screen", "0", "1280x1024x24", "-nolisten", "tcp"], { stdio: ["ignore", "ignore", "ignore", "pipe"] });
  const failed = new Promise((_, reject) => server.once("error", (cause) => reject(new Error("Xvfb does not start (Debian: apt-get install xvfb)", { cause }))));
  const numbers = server.stdio[3];
  if (!numbers || !("read" in numbers)) throw new Error("Xvfb has no pipe for its display");
  const number = new Promise((resolve) => createInterface(numbers).once("line", resolve));
  return { name: `:${await Promise.race([number, failed])}`, ...running(server) };
}

/**
 * How to start it, with a window for each address.
 * @param {{ home: string, display: string, addresses: readonly string[], isPrivate?: boolean }} options
 */
export const miniBrowser = ({ home, display, addresses, isPrivate = false }) => ({
  path: webkitPath(),
  args: ["--geometry=900x700", ...(isPrivate ? ["--private"] : []), ...addresses],
  env: {
    ...process.env,
    DISPLAY: display,
    GDK_BACKEND: "x11",
    HOME: home,
    XDG_DATA_HOME: `${home}/data`,
    XDG_CACHE_HOME: `${home}/cache`,
    XDG_CONFIG_HOME: `${home}/config`,
  },
});

/**
 * Opens a window on an address.
 * @param {{ address: string, home: string, display: string }} options
 * @returns {Running}
 */
export function openMiniBrowser({ address, ...place }) {
  const { path, args, env } = miniBrowser({ ...place, addresses: [address] });
  return running(spawn(path, args, { env, stdio: "ignore" }));
}
