import type { Durability } from "../engine/index.ts";
import { InvalidConfigError } from "../errors/index.ts";
import type { WorkerOption } from "../worker/index.ts";

export interface Timeouts {
  readonly start?: number;
  readonly call?: number;
}

export function databaseName(name: unknown = "langgraph"): string {
  if (typeof name === "string" && name !== "") return name;
  throw new InvalidConfigError({ field: "name", hint: "It is the name of the database: a string that is not empty." });
}

/** A database whose rows are encrypted. */
export interface Encryption {
  /** A key for AES-GCM that can encrypt and decrypt, and need not be extractable. */
  readonly key: CryptoKey;
}

export function keyOf(encryption: Encryption | undefined): CryptoKey | undefined {
  if (encryption === undefined) return undefined;
  const { key } = (encryption ?? {}) as Partial<Encryption>;
  if (isUsable(key)) return key;
  throw new InvalidConfigError({ field: "encryption.key", hint: 'It is a CryptoKey for AES-GCM with the usages "encrypt" and "decrypt".' });
}

export function isUsable(key: unknown): key is CryptoKey {
  const { algorithm, usages } = (key ?? {}) as Partial<CryptoKey>;
  return algorithm?.name === "AES-GCM" && ["encrypt", "decrypt"].every((usage) => usages?.includes(usage as KeyUsage));
}

/** Looked at when it is used: on a server there is no `Worker`, and nothing is used. */
export function workerOf(worker: WorkerOption | undefined): () => WorkerOption {
  if (worker !== undefined && !["boolean", "function", "object"].includes(typeof worker)) {
    throw new InvalidConfigError({ field: "worker", hint: "It is true, false, a Worker, or a function that makes one." });
  }
  return () => worker ?? typeof Worker === "function";
}

export function durabilityOf(durability: unknown = "relaxed"): Durability {
  if (durability === "relaxed" || durability === "strict") return durability;
  throw new InvalidConfigError({ field: "durability", hint: 'It is "relaxed" or "strict".' });
}

export function limitsOf(timeouts: Timeouts | undefined): { readonly start: number; readonly call: number } {
  return { start: milliseconds("start", timeouts?.start ?? 10_000), call: milliseconds("call", timeouts?.call ?? 60_000) };
}

function milliseconds(field: "start" | "call", limit: number): number {
  if (limit > 0 && limit < 2 ** 31) return limit;
  throw new InvalidConfigError({ field: `timeouts.${field}`, hint: "It is a number of milliseconds: above zero and below 2^31." });
}
