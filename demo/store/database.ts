import { Dexie, type EntityTable, type Table } from "dexie";

/** What the demo notes about a thread beside what the saver keeps of it. */
export interface MarkRow {
  threadId: string;
  /** Someone pressed Stop, so a reload does not resume the run by itself. */
  stopped?: boolean;
  /** The branch that is shown instead of the newest, until the thread has a newer checkpoint than `newest`. */
  branch?: { tip: string; newest: string };
  /** When it was deleted. It can be had back for a moment. */
  deleted?: number;
}

interface DraftRow {
  threadId: string;
  text: string;
}

export interface NoteRow {
  /** The id of the tool call that saved it, so that a call that runs twice saves one note. */
  id: string;
  text: string;
  savedAt: number;
}

/** What a tool call did: `starts` counts how often it was really run. */
export interface ToolRunRow {
  callId: string;
  threadId: string;
  tool: string;
  starts: number;
  startedAt: number;
  finishedAt?: number;
}

interface SettingRow {
  key: string;
  value: unknown;
}

/** The demo's own records. Threads, their titles and what the agent said and did are the saver's. */
class DemoDatabase extends Dexie {
  declare marks: EntityTable<MarkRow, "threadId">;
  declare drafts: EntityTable<DraftRow, "threadId">;
  declare notes: EntityTable<NoteRow, "id">;
  declare toolRuns: EntityTable<ToolRunRow, "callId">;
  declare settings: Table<SettingRow, string>;

  constructor() {
    super("demo-app");
    this.version(2).stores({
      threads: null,
      marks: "threadId, deleted",
      drafts: "threadId",
      notes: "id, savedAt",
      toolRuns: "callId, threadId",
      settings: "key",
    });
  }
}

export const database = new DemoDatabase();
