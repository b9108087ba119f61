import { InvalidConfigError, NewerSchemaError } from "../errors/index.ts";

/** Where a checkpoint's metadata has the version of the state's shape; without it that is 1. */
export const SCHEMA = "schema_version";

/** Makes a state of the version it is listed under from one of the version before. */
export type Migration = (state: Readonly<Record<string, unknown>>) => Record<string, unknown>;

/** The version of the state's shape, and how to come to each version from the one before. */
export interface Schema {
  readonly version: number;
  readonly migrations: Readonly<Record<number, Migration>>;
}

/** @throws InvalidConfigError if a step is missing */
export function schemaOf(version = 1, migrations: Readonly<Record<number, Migration>> = {}): Schema {
  if (!Number.isSafeInteger(version) || version < 1) throw new InvalidConfigError({ field: "version", hint: "It is a whole number, 1 to begin with." });
  for (let to = 2; to <= version; to++) {
    if (typeof migrations[to] === "function") continue;
    throw new InvalidConfigError({ field: `migrations[${to}]`, hint: `It makes a state of version ${to} from one of version ${to - 1}.` });
  }
  return { version, migrations };
}

/** The version that a checkpoint was written with. */
export function schemaVersionOf(metadata: Readonly<Record<string, unknown>>): number {
  const version = metadata[SCHEMA];
  return typeof version === "number" ? version : 1;
}

/** @throws NewerSchemaError for a state that a later release of the application wrote */
export function migrate(schema: Schema, state: Record<string, unknown>, written: number): Record<string, unknown> {
  if (written > schema.version) throw new NewerSchemaError({ written, known: schema.version });
  let migrated = state;
  for (let to = written + 1; to <= schema.version; to++) migrated = schema.migrations[to]!(migrated);
  return migrated;
}
