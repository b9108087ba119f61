import { cleared, encrypted, framed, inPrivate, putAside, sandboxed } from "./fates.ts";
import { live } from "./life.ts";
import { share } from "./share.ts";
import { heard, say } from "./voice.ts";

/* What runs in every page of these suites, except those that a test holds: which part it plays stands in its address. */

const query = new URLSearchParams(location.search);
const page = query.get("page") ?? "";

const parts: Readonly<Record<string, () => Promise<void>>> = {
  live: () => live(page),
  share: () => share(page, { tabs: Number(query.get("tabs")), steps: Number(query.get("steps")) }),
  putAside,
  cleared,
  sandboxed,
  inPrivate,
  encrypted,
};

if (query.has("framed")) void framed();
else
  void heard(async () => {
    await parts[query.get("part") ?? "live"]!();
    await say("finished");
  });
