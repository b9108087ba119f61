import { LoaderCircle, Pin } from "lucide-react";
import type { ThreadInfo } from "langgraph-checkpoint-indexeddb/threads";
import { bytes } from "../inspect/numbers.ts";
import { titleOf } from "../store/threads.ts";
import { threadHref } from "./route.ts";
import { ThreadMenu } from "./ThreadMenu.tsx";
import { shortTime } from "./time.ts";

interface Props {
  readonly thread: ThreadInfo;
  readonly current: boolean;
  readonly running: boolean;
}

export function ThreadItem({ thread, current, running }: Props) {
  const title = titleOf(thread);
  return (
    <div className="thread-item" data-current={current}>
      <a href={threadHref(thread.id)} aria-current={current ? "page" : undefined} title={title}>
        <span className="thread-title">{title}</span>
        <span className="thread-facts">
          {thread.pinned && <Pin role="img" aria-label="Pinned" />}
          {running && <LoaderCircle className="turning" role="img" aria-label="Running" />}
          <time dateTime={thread.updated.toISOString()}>{shortTime(thread.updated)}</time>
          <span title="Bytes that were written for it">{bytes(thread.bytes)}</span>
        </span>
      </a>
      <ThreadMenu thread={thread} current={current} />
    </div>
  );
}
