import { calculate } from "./calculate.ts";
import { convertUnits } from "./convert.ts";
import { findDate } from "./date.ts";
import { deleteNoteTool, findNotes, saveNoteTool } from "./notes.ts";
import { waitSeconds } from "./timer.ts";

const harmless = [calculate, convertUnits, findDate, waitSeconds, findNotes];
const withEffect = [saveNoteTool, deleteNoteTool];

export const tools = [...harmless, ...withEffect];

const effects = new Set<string>(withEffect.map((tool) => tool.name));

export const needsApproval = ({ name }: { readonly name: string }): boolean => effects.has(name);
