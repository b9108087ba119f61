import { CheckpointError, IndexedDBSaver } from "langgraph-checkpoint-indexeddb";

const saver = new IndexedDBSaver();
try {
  await saver.getTuple({ configurable: { thread_id: "t1" } });
} catch (error) {
  console.log(CheckpointError.is(error) ? error.code : error);
}
await saver.close();
