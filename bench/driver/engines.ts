import type { Browser, EngineName } from "./browser.ts";
import { launchWebKit } from "./minibrowser.ts";
import { launchChromium, launchFirefox } from "./playwright-browser.ts";

export const engines: Readonly<Record<EngineName, () => Promise<Browser>>> = {
  chromium: launchChromium,
  firefox: launchFirefox,
  webkit: launchWebKit,
};
