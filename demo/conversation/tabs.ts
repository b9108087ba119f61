/** `changed`: the thread has a new step. `stop`: whoever runs the thread shall stop. */
export interface TabMessage {
  readonly type: "changed" | "stop";
  readonly threadId: string;
}

const channel = new BroadcastChannel("demo-threads");
/** A channel does not hear what it said itself. */
const ownEar = new BroadcastChannel("demo-threads");

export const tellTabs = (message: TabMessage): void => {
  channel.postMessage(message);
};

/** Of what this tab has done to a thread past its conversation, which hears it too. */
export const tellAll = (message: TabMessage): void => {
  ownEar.postMessage(message);
};

function listen(ear: BroadcastChannel, hear: (message: TabMessage) => void): () => void {
  const listener = ({ data }: MessageEvent<TabMessage>) => hear(data);
  ear.addEventListener("message", listener);
  return () => {
    ear.removeEventListener("message", listener);
  };
}

/** What other tabs say of a thread. */
export const hearTabs = (threadId: string, hear: (type: TabMessage["type"]) => void): (() => void) =>
  listen(channel, (message) => {
    if (message.threadId === threadId) hear(message.type);
  });

/** What any tab, this one too, says of any thread. */
export const hearRuns = (hear: () => void): (() => void) => listen(ownEar, hear);
