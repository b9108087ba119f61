import { IndexedDBSaver } from "langgraph-checkpoint-indexeddb";
import { delta, messagesReducer } from "langgraph-checkpoint-indexeddb/threads";
import { readSettings } from "../store/settings.ts";
import { chatGraph } from "./graph.ts";
import { endpointModel } from "./models/endpoint/index.ts";
import type { ChatModel } from "./models/model.ts";
import { offlineModel } from "./models/offline/index.ts";
import { runTool } from "./runTool.ts";
import { needsApproval, tools } from "./tools/index.ts";

const chosenModel: ChatModel = async (messages, options) => {
  const settings = await readSettings();
  const model = settings.model === "endpoint" ? endpointModel(settings, tools) : offlineModel;
  return model(messages, options);
};

export const saver = new IndexedDBSaver({ name: "demo", channels: { messages: delta(messagesReducer) } });

export const graph = chatGraph({ checkpointer: saver, model: chosenModel, runTool, needsApproval });
