import type { Order } from "./site.ts";

const page = new URLSearchParams(location.search).get("page") ?? "";

/** Tells the test outside, and hears what to do. */
export async function say(kind: string, word: string | number = ""): Promise<Order> {
  const response = await fetch(`/say?page=${encodeURIComponent(page)}&kind=${kind}`, { method: "POST", body: String(word) });
  return (await response.text()) as Order;
}

/** Resolves when told to. */
export async function toldToGo(): Promise<void> {
  while ((await say("waits")) !== "go") await new Promise((resolve) => setTimeout(resolve, 50));
}

/** Whatever goes wrong is heard outside. */
export async function heard(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    await say("failed", error instanceof Error ? `${error.message}\n${error.stack ?? ""}` : String(error));
  }
}
