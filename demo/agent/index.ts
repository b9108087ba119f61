import { saver } from "../store/saver.ts";
import { readSettings } from "../store/settings.ts";
import { chatGraph } from "./graph.ts";
import { builtInModel } from "./models/builtIn/index.ts";
import { endpointModel } from "./models/endpoint/index.ts";
import type { ChatModel } from "./models/model.ts";
import { offlineModel } from "./models/offline/index.ts";
import { runTool } from "./runTool.ts";
import { needsApproval, tools } from "./tools/index.ts";

const chosenModel: ChatModel = async (messages, options) => {
  const settings = await readSettings();
  const models = { offline: offlineModel, "built-in": builtInModel, endpoint: endpointModel(settings, tools) };
  return models[settings.model](messages, options);
};

export const graph = chatGraph({ checkpointer: saver, model: chosenModel, runTool, needsApproval });
