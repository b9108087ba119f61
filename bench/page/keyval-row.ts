import { get, set } from "idb-keyval";
import { type ArrayRow, asMessage, type PlainMessage } from "./array-row.ts";

const key = "messages";

/** `idb-keyval`, as most chat applications use it: plain objects out. */
export const keyvalRow: ArrayRow = {
  write: (messages) => set(key, messages),
  read: async () => (await get<PlainMessage[]>(key)) ?? [],
};

/** The same, up to what a graph's state holds: LangChain's messages. */
export const keyvalMessagesRow: ArrayRow = {
  ...keyvalRow,
  read: async () => ((await get<PlainMessage[]>(key)) ?? []).map(asMessage),
};
