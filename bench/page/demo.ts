import type {} from "../../demo/seed.ts";
import { watched, type Held } from "./main-thread.ts";

/** The demo, in a frame of this page, whose main thread it shares. */
class Demo {
  readonly #frame = document.createElement("iframe");

  static async at(address: string): Promise<Demo> {
    const demo = new Demo();
    Object.assign(demo.#frame.style, { position: "fixed", inset: "0", width: "1280px", height: "720px", border: "0" });
    const loaded = new Promise((resolve) => demo.#frame.addEventListener("load", resolve));
    demo.#frame.src = address;
    document.body.append(demo.#frame);
    await loaded;
    return demo;
  }

  get window(): Window & typeof globalThis {
    return this.#frame.contentWindow as Window & typeof globalThis;
  }

  /** Once something that the selector finds holds the text. */
  async shows(selector: string, text: string): Promise<void> {
    while (![...this.window.document.querySelectorAll(selector)].some((each) => each.textContent.includes(text))) await frame();
  }

  close(): void {
    this.#frame.remove();
  }
}

/** Has the demo make a thread of so many messages. */
export async function seedDemo(messages: number): Promise<string> {
  const demo = await Demo.at("/demo/index.html?seed");
  while (!("seedThread" in demo.window)) await frame();
  const id = await demo.window.seedThread(messages);
  demo.close();
  return id;
}

/** From a click on the thread to its end on the screen, on a page that has just been loaded. */
export async function openInDemo(id: string, messages: number): Promise<Held> {
  const demo = await Demo.at("/demo/index.html");
  await demo.shows("nav a", `${messages.toLocaleString("en")} messages`);
  await new Promise((resolve) => setTimeout(resolve, 500)); // What a page does at its start is over.
  const held = await watched(async () => {
    demo.window.location.hash = `#/thread/${id}`;
    await demo.shows(".markdown", `Answer ${String(messages / 2)}.`);
  });
  demo.close();
  return held;
}

const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
