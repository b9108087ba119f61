import { PageMeter } from "./metered.ts";
import { openSaver, type Saver, type SaverName } from "./savers.ts";

/** The saver of this page's scenario, and the meter on it. */
let opened: { readonly saver: Saver; readonly meter: PageMeter } | undefined;

export function openedSaver(name: SaverName): { readonly saver: Saver; readonly meter: PageMeter } {
  if (opened === undefined) {
    const meter = new PageMeter();
    opened = { saver: openSaver(name, meter), meter };
  }
  return opened;
}

export async function closeSaver(): Promise<void> {
  await opened?.saver.close?.();
  opened = undefined;
}
