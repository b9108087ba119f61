import "./metered-realm.ts";
import "../../src/worker/host.ts";
