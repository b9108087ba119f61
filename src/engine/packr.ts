import { Packr } from "msgpackr";

/** For the engine's own rows, which hold plain data. */
export const packr = new Packr({ useRecords: false, variableMapSize: true });
