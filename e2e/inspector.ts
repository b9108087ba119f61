import { expect, type Locator, type Page } from "@playwright/test";

/** The inspector as its user sees it. */
export class Inspector {
  readonly page: Page;
  readonly slider: Locator;
  readonly steps: Locator;
  readonly banner: Locator;

  constructor(page: Page) {
    this.page = page;
    this.slider = page.getByRole("slider", { name: "Step" });
    this.steps = page.getByRole("listbox", { name: "Steps, newest first" });
    this.banner = page.getByRole("region", { name: "Time travel" });
  }

  async open(panel: "Time" | "Branches" | "Growth" | "Reads" | "Storage"): Promise<this> {
    const button = this.page.getByRole("button", { name: "Inspect", exact: true });
    if ((await button.getAttribute("aria-pressed")) === "false") await button.click();
    await this.page.getByRole("tab", { name: panel }).click();
    await expect(this.page.getByRole("tabpanel")).toBeVisible();
    return this;
  }

  async press(key: string, times = 1): Promise<void> {
    for (let press = 0; press < times; press++) await this.slider.press(key);
  }

  /** Goes on from so many steps after the first. */
  async continueFrom(steps: number): Promise<void> {
    await this.open("Time");
    await this.press("Home");
    await this.press("ArrowRight", steps);
    await this.banner.getByRole("button", { name: "Continue from here" }).click();
    await expect(this.banner).toBeHidden();
  }

  get branches(): Locator {
    return this.page.getByRole("list", { name: "Branches" }).getByRole("listitem");
  }
}
