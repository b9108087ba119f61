import { Packr } from "msgpackr";

/**
 * MessagePack of plain data: trees of null, booleans, numbers, strings, bytes, arrays, and objects with string keys. The same tree
 * always gives the same bytes. What `pack` gives is a view that holds until the next call.
 */
export const packr = new Packr({ useRecords: false, variableMapSize: true, useToJSON: false, copyBuffers: true, structuredClone: false });
