import { serve } from "../../src/worker/host.ts";
import { applicationChannels } from "./reducers.ts";

// An application's own worker, with its reducers.
serve({ channels: applicationChannels() });
