#!/usr/bin/env node
/// <reference types="node" />
import { createReadStream } from "node:fs";
import { parseArgs } from "node:util";
import { inspect } from "../archive/inspect.ts";
import { CheckpointError } from "../errors/index.ts";
import { describe } from "./describe.ts";

const usage = `Usage: langgraph-checkpoint-indexeddb inspect FILE [--json]

Reads a file that threads.export() made, checks it to its end, and says what it holds.
  --json   as JSON

The exit code is 0 if the file is in order, 1 if it is damaged or cannot be read, 2 if the command is not understood.
`;

async function run(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options: { json: { type: "boolean" }, help: { type: "boolean", short: "h" } } });
  const [command, file, ...others] = positionals;
  if (values.help === true) return print(usage);
  if (command !== "inspect" || file === undefined || others.length > 0) return complain(usage, 2);
  try {
    const inspection = await inspect(createReadStream(file));
    return print(values.json === true ? `${JSON.stringify(inspection, undefined, 2)}\n` : describe(inspection));
  } catch (error) {
    if (!CheckpointError.is(error) && !isSystemError(error)) throw error;
    return complain(`${file}: ${error.message}\n`, 1);
  }
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "syscall" in error;
}

function print(text: string): number {
  process.stdout.write(text);
  return 0;
}

function complain(text: string, code: number): number {
  process.stderr.write(text);
  return code;
}

try {
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  process.exitCode = complain(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`, 2);
}
