import type { ThreadRow } from "../store/database.ts";
import { threadHref } from "./route.ts";
import { ThreadMenu } from "./ThreadMenu.tsx";
import { shortTime } from "./time.ts";

export function ThreadItem({ thread, current }: { readonly thread: ThreadRow; readonly current: boolean }) {
  return (
    <li className="thread-item" data-current={current}>
      <a href={threadHref(thread.id)} aria-current={current ? "page" : undefined} title={thread.title}>
        <span className="thread-title">{thread.title}</span>
        <time dateTime={new Date(thread.updatedAt).toISOString()}>{shortTime(thread.updatedAt)}</time>
      </a>
      <ThreadMenu thread={thread} current={current} />
    </li>
  );
}
