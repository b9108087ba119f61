import { delta, messagesReducer, ThreadStore } from "langgraph-checkpoint-indexeddb/threads";

const threads = new ThreadStore({ name: "chat", channels: { messages: delta(messagesReducer) } });
let thread = threads.thread("first");

/** @param {string} id */
const byId = (id) => /** @type {HTMLInputElement} */ (document.getElementById(id));

/** @param {string} list @param {string} text @param {() => unknown} [choose] */
function add(list, text, choose) {
  const item = byId(list).appendChild(document.createElement(choose ? "button" : "p"));
  item.textContent = text;
  if (choose) item.addEventListener("click", () => void (choose(), show()));
}

async function show() {
  const { items } = await thread.slice("messages", { last: 50 });
  const steps = [];
  for await (const step of thread.history()) steps.push(step);
  const list = await threads.list();
  for (const id of ["messages", "steps", "threads"]) byId(id).replaceChildren();
  for (const { role, content } of items) add("messages", `${role}: ${String(content)}`);
  for (const { id, metadata } of steps) add("steps", `step ${String(metadata["step"])}`, () => (thread = thread.fork(id)));
  for (const { id, title } of list) add("threads", title ?? id, () => (thread = threads.thread(id)));
}

async function send(content = byId("text").value) {
  await thread.append({ messages: { role: "user", content } });
  await thread.append({ messages: { role: "assistant", content: `You said ${content}.` } });
  await threads.update(thread.id, { title: content });
}

byId("send").addEventListener("click", () => void send());
byId("new").addEventListener("click", () => void ((thread = threads.thread(crypto.randomUUID())), show()));
threads.watch(() => void show());
await show();
