import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "@playwright/test";
import type * as playwright from "langgraph-checkpoint-indexeddb/playwright";
import { build, createServer } from "vite";
import webpack from "webpack";
import { run, scratch } from "./scratch.ts";
import { type Served, serveFolder, strictPolicy } from "./serve.ts";

const vite = { root: scratch, configFile: false, logLevel: "error" } as const;

interface App {
  serve(folder: string): Promise<Served>;
  /** Where the bundler puts the worker. */
  readonly worker: RegExp;
}

/** The scratch application, bundled as the README tells each bundler's users to; where it is built it runs under a strict policy, once with Trusted Types. */
const apps: Record<string, App> = {
  "Vite dev": {
    worker: /^\/node_modules\/langgraph-checkpoint-indexeddb\/dist\/worker\/host\.js$/,
    async serve() {
      const server = await createServer({ ...vite, server: { host: "127.0.0.1" } });
      await server.listen();
      return { url: server.resolvedUrls?.local[0] ?? "", close: () => server.close() };
    },
  },
  "Vite build": {
    worker: /^\/assets\/host-[\w-]+\.js$/,
    async serve(outDir) {
      await build({ ...vite, build: { outDir, target: "es2022" } });
      return serveFolder(outDir);
    },
  },
  webpack: {
    worker: /^\/langgraph-checkpoint-indexeddb\.js$/,
    async serve(path) {
      const optimization = { minimize: false }; // minifying LangChain takes most of a minute
      const compiler = webpack({ mode: "production", context: scratch, entry: "./main.js", output: { path }, optimization });
      const stats = await promisify(compiler.run.bind(compiler))();
      expect(stats?.toJson({ all: false, errors: true }).errors).toEqual([]);
      return servePage(path);
    },
  },
  esbuild: {
    worker: /^\/host\.js$/,
    async serve(folder) {
      esbuild("main-own-worker.js", join(folder, "main.js"));
      esbuild("node_modules/langgraph-checkpoint-indexeddb/dist/worker/host.js", join(folder, "host.js"));
      return servePage(folder, `${strictPolicy}; require-trusted-types-for 'script'; trusted-types app`);
    },
  },
};

function esbuild(entry: string, outfile: string): void {
  run("esbuild", [entry, "--bundle", "--format=esm", "--log-level=warning", `--outfile=${outfile}`], scratch);
}

function servePage(folder: string, policy = strictPolicy): Promise<Served> {
  copyFileSync(join(scratch, "index.html"), join(folder, "index.html"));
  return serveFolder(folder, policy);
}

for (const [name, { serve, worker }] of Object.entries(apps)) {
  test(`${name}: the worker starts and a graph is there after a reload, and no policy is violated`, async ({ page }) => {
    const faults: string[] = [];
    page.on("pageerror", (error) => faults.push(error.message));
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") faults.push(message.text());
    });
    await page.addInitScript(() => {
      IDBFactory.prototype.open = () => {
        throw new Error("IndexedDB was opened on the main thread");
      };
    });
    const { url, close } = await serve(join(scratch, "out", name));
    try {
      await page.goto(url);
      await expect(page.locator("#after")).toHaveText("human: hello, ai: answer 1");
      await expect(page.locator("#before")).toHaveText("nothing");

      await page.reload();
      await expect(page.locator("#after")).toHaveText("human: hello, ai: answer 1, human: hello, ai: answer 3");
      await expect(page.locator("#before")).toHaveText("human: hello, ai: answer 1");

      const paths = page.workers().map((started) => new URL(started.url()).pathname);
      expect(paths).toEqual([expect.stringMatching(worker)]);
      expect(faults).toEqual([]);
    } finally {
      await close();
    }
  });
}

test("esbuild without the worker's file: the first use says what is missing", async ({ page }) => {
  const folder = join(scratch, "out", "no worker");
  esbuild("main.js", join(folder, "main.js"));
  const { url, close } = await servePage(folder);
  try {
    const error = page.waitForEvent("pageerror");
    await page.goto(url);
    expect((await error).message).toContain("The storage worker did not start");
  } finally {
    await close();
  }
});

test("Vite build: a chat without LangGraph keeps its threads, forks, and goes back in time", async ({ page }) => {
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(error.message));
  const outDir = join(scratch, "out", "chat");
  await build({ ...vite, build: { outDir, target: "es2022", rolldownOptions: { input: join(scratch, "chat.html") } } });
  const { url, close } = await serveFolder(outDir);
  const send = async (text: string) => {
    await page.getByLabel("message").fill(text);
    await page.getByRole("button", { name: "Send" }).click();
    await expect(page.locator("#messages")).toContainText(`assistant: You said ${text}.`);
  };
  const messages = page.locator("#messages p");
  try {
    await page.goto(`${url}chat.html`);
    await send("one");
    await send("two");
    await page.reload();
    await expect(messages).toHaveText(["user: one", "assistant: You said one.", "user: two", "assistant: You said two."]);

    await page.getByRole("button", { name: "step 1" }).click();
    await expect(messages).toHaveText(["user: one", "assistant: You said one."]);
    await send("three");
    await expect(messages).toHaveText(["user: one", "assistant: You said one.", "user: three", "assistant: You said three."]);

    await page.getByRole("button", { name: "New thread" }).click();
    await expect(messages).toHaveCount(0);
    await send("elsewhere");
    await expect(page.locator("#threads button")).toHaveText(["elsewhere", "three"]);

    const other = await page.context().newPage();
    await other.goto(`${url}chat.html`);
    await other.locator("#threads button", { hasText: "elsewhere" }).click();
    await send("told to the other tab");
    await expect(other.locator("#messages")).toContainText("assistant: You said told to the other tab.");
    expect(faults).toEqual([]);
  } finally {
    await close();
  }
});

test("the fixtures: a thread is put before the page of a chat with a strict policy, and its next step is waited for", async ({ context, page }) => {
  const { PageThreads } = (await import(pathToFileURL(join(scratch, "node_modules/langgraph-checkpoint-indexeddb/dist/playwright/index.js")).href)) as typeof playwright;
  const outDir = join(scratch, "out", "fixtures");
  await build({ ...vite, build: { outDir, target: "es2022", rolldownOptions: { input: join(scratch, "chat.html") } } });
  const { url, close } = await serveFolder(outDir);
  await page.route("**/chat.html", async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, headers: { ...response.headers(), "content-security-policy": "default-src 'none'; script-src 'self'; img-src data:" } });
  });
  const threads = new PageThreads(context, { origin: url, name: "chat" });
  try {
    await threads.saver.threads.thread("first").append({ messages: [{ id: "1", role: "user", content: "put by the test" }] });
    await page.goto(`${url}chat.html`);
    await expect(page.locator("#messages p")).toHaveText(["user: put by the test"]);
    await page.getByLabel("message").fill("typed");
    await page.getByRole("button", { name: "Send" }).click();
    const { messages } = await threads.reaches("first", (state) => (state["messages"] as unknown[]).length === 3);
    expect(messages).toMatchObject([{ content: "put by the test" }, { content: "typed" }, { content: "You said typed." }]);
    await threads.put({ id: "second", title: "put while it is open", states: [{ messages: [] }] });
    await expect(page.locator("#threads button", { hasText: "put while it is open" })).toBeVisible();
  } finally {
    await threads.close();
    await close();
  }
});
