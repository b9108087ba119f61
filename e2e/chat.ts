import type {} from "../demo/seed.ts";
import { expect, type Locator, type Page } from "@playwright/test";

/** In Firefox React hears of what is typed, and not of what `fill` puts into a field. */
export async function fillIn(field: Locator, text: string): Promise<void> {
  if (field.page().context().browser()?.browserType().name() !== "firefox") return field.fill(text);
  await field.press("ControlOrMeta+a");
  await field.pressSequentially(text);
}

/** The demo as its user sees it. */
export class Chat {
  readonly page: Page;
  readonly field: Locator;
  readonly send: Locator;
  readonly messages: Locator;
  readonly threads: Locator;

  constructor(page: Page) {
    this.page = page;
    this.field = page.getByRole("textbox", { name: "Message" });
    this.send = page.getByRole("button", { name: "Send" });
    this.messages = page.getByRole("list", { name: "Messages" });
    this.threads = page.getByRole("navigation", { name: "Threads" });
  }

  /** The demo in another page of the same browser. */
  in(page: Page): Chat {
    return new Chat(page);
  }

  async open(): Promise<this> {
    await this.page.goto("/");
    await expect(this.field).toBeVisible();
    await expect(this.page.locator(".threads li, .threads-note p").first()).toBeAttached(); // On a phone they are out of sight.
    return this;
  }

  /** Reopens the page at the address it had. */
  async reload(): Promise<void> {
    await this.page.reload();
    await expect(this.field).toBeVisible();
  }

  async say(text: string): Promise<void> {
    await fillIn(this.field, text);
    await this.send.click();
    await expect(this.page).toHaveURL(/#\/thread\//);
  }

  async ask(text: string, answer: string | RegExp): Promise<void> {
    await this.say(text);
    await expect(this.answers.filter({ hasText: answer }).last()).toBeVisible();
    await this.settled();
  }

  /** No run is going on, neither here nor in another tab. */
  async settled(): Promise<void> {
    await expect(this.send).toBeVisible();
  }

  get said(): Locator {
    return this.messages.locator(".said p");
  }

  get answers(): Locator {
    return this.messages.locator(".markdown");
  }

  /** The id of the thread that is open. */
  get thread(): string {
    return /#\/thread\/([^/?]+)/.exec(this.page.url())?.[1] ?? "";
  }

  /** The last call of a tool, by the name it is shown under. */
  tool(name: string): Locator {
    return this.messages.locator("details.tool").filter({ has: this.page.getByText(name, { exact: true }) }).last();
  }

  get approval(): Locator {
    return this.page.getByRole("region", { name: "Approval" });
  }

  /** The answer of a turn, with what can be done about it. */
  answer(turn: number): Locator {
    return this.messages.locator(".answer").filter({ has: this.page.locator(".markdown") }).nth(turn);
  }

  /** Which branch is shown where branches part, for example "1 of 2". */
  branch(which: string): Locator {
    return this.page.getByRole("group", { name: `Branch ${which}` });
  }

  /** Says something else in place of an earlier message. */
  async edit(said: string, instead: string): Promise<void> {
    const message = this.messages.locator(".said").filter({ has: this.page.getByText(said, { exact: true }) });
    await message.hover();
    await message.getByRole("button", { name: "Edit the message" }).click();
    await fillIn(this.page.getByRole("textbox", { name: "The message, edited" }), instead);
    await this.page.keyboard.press("Enter");
  }

  /** Makes a thread of so many messages and opens it. */
  async openLong(count: number): Promise<void> {
    await this.page.goto("/?seed");
    await this.page.waitForFunction(() => "seedThread" in globalThis);
    const id = await this.page.evaluate((messages) => seedThread(messages), count);
    await this.page.goto(`/#/thread/${id}`);
  }

  /** All that the page says about the thread, to compare before and after. */
  async transcript(): Promise<string[]> {
    await this.settled();
    const texts = this.messages.locator(".said p, .markdown, .tool summary");
    await expect(texts.last()).toBeVisible(); // Right after a reload the thread is still being read; and a message is hidden until the list has measured it.
    return texts.allInnerTexts();
  }
}
