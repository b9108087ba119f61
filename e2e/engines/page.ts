import { live } from "./life.ts";
import { share } from "./share.ts";
import { heard } from "./voice.ts";

/* What runs in every page of the crash and the tab suites: which part it plays stands in its address. */

const query = new URLSearchParams(location.search);
const page = query.get("page") ?? "";

void heard(() => (query.get("part") === "share" ? share(page, { tabs: Number(query.get("tabs")), steps: Number(query.get("steps")) }) : live(page)));
