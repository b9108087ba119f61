import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import manifest from "../../package.json" with { type: "json" };

const repository = fileURLToPath(new URL("../..", import.meta.url));

/** Packs the package, and installs the tarball into a scratch application outside the repository. */
export default function install(): () => void {
  const scratch = mkdtempSync(join(tmpdir(), "consumer-"));
  const npm = (...args: string[]): string =>
    execFileSync("npm", args, { cwd: scratch, encoding: "utf8", stdio: "pipe", shell: process.platform === "win32" });

  const packed = npm("pack", repository, "--silent").trim().split("\n").at(-1) ?? "";
  const tarball = join(scratch, packed);
  const langchain = ["@langchain/core", "@langchain/langgraph"] as const;
  const dependencies = Object.fromEntries(langchain.map((name) => [name, manifest.devDependencies[name]]));
  writeFileSync(join(scratch, "package.json"), JSON.stringify({ private: true, type: "module", dependencies }));
  npm("install", tarball, "--prefer-offline", "--no-audit", "--no-fund");
  // Playwright refuses to run when there are two of it.
  mkdirSync(join(scratch, "node_modules/@playwright"), { recursive: true });
  symlinkSync(join(repository, "node_modules/@playwright/test"), join(scratch, "node_modules/@playwright/test"), "junction");
  cpSync(fileURLToPath(new URL("apps", import.meta.url)), scratch, { recursive: true });

  process.env["CONSUMER_SCRATCH"] = scratch;
  process.env["CONSUMER_TARBALL"] = tarball;
  return () => rmSync(scratch, { recursive: true });
}
