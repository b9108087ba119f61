import { z } from "zod";
import { database } from "./database.ts";

const Settings = z.object({
  theme: z.enum(["system", "light", "dark"]).catch("system"),
  model: z.enum(["offline", "built-in", "endpoint"]).catch("offline"),
  baseUrl: z.string().catch(""),
  modelName: z.string().catch(""),
  apiKey: z.string().catch(""),
});

export type Settings = z.infer<typeof Settings>;

const KEY = "settings";

export const readSettings = async (): Promise<Settings> => Settings.parse((await database.settings.get(KEY))?.value ?? {});

export function changeSettings(change: Partial<Settings>): Promise<void> {
  return database.transaction("rw", database.settings, async () => {
    await database.settings.put({ key: KEY, value: { ...(await readSettings()), ...change } });
  });
}
