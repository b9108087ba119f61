import { Dexie, type EntityTable, type Table } from "dexie";

export interface ThreadRow {
  id: string;
  title: string;
  createdAt: number;
  updatedAt: number;
  /** Set when someone pressed Stop, so that a reload does not resume the run by itself. */
  stopped?: boolean;
}

export interface DraftRow {
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

export interface SettingRow {
  key: string;
  value: unknown;
}

/** The demo's own records. What the agent said and did is in the checkpoints, not here. */
export class DemoDatabase extends Dexie {
  declare threads: EntityTable<ThreadRow, "id">;
  declare drafts: EntityTable<DraftRow, "threadId">;
  declare notes: EntityTable<NoteRow, "id">;
  declare toolRuns: EntityTable<ToolRunRow, "callId">;
  declare settings: Table<SettingRow, string>;

  constructor() {
    super("demo-app");
    this.version(1).stores({
      threads: "id, updatedAt",
      drafts: "threadId",
      notes: "id, savedAt",
      toolRuns: "callId, threadId",
      settings: "key",
    });
  }
}

export const database = new DemoDatabase();
