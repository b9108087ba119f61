import { useLiveQuery } from "dexie-react-hooks";
import { readSettings, type Settings } from "../store/settings.ts";

/** The stored settings, or nothing while they are being read. */
export const useSettings = (): Settings | undefined => useLiveQuery(readSettings);
