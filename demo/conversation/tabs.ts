/** `changed`: the thread has a new step. `stop`: whoever runs the thread shall stop. */
export interface TabMessage {
  readonly type: "changed" | "stop";
  readonly threadId: string;
}

const channel = new BroadcastChannel("demo-threads");

export const tellTabs = (message: TabMessage): void => {
  channel.postMessage(message);
};

export function hearTabs(threadId: string, hear: (type: TabMessage["type"]) => void): () => void {
  const listener = ({ data }: MessageEvent<TabMessage>) => {
    if (data.threadId === threadId) hear(data.type);
  };
  channel.addEventListener("message", listener);
  return () => {
    channel.removeEventListener("message", listener);
  };
}
