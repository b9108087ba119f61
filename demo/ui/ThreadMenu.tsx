import { Ellipsis, Pencil, Pin, PinOff, Trash2 } from "lucide-react";
import type { ThreadInfo } from "langgraph-checkpoint-indexeddb/threads";
import { DropdownMenu } from "radix-ui";
import { useState } from "react";
import { pinThread, titleOf } from "../store/threads.ts";
import { deleteWithUndo } from "./deleted.ts";
import { reported } from "./failures.ts";
import { RenameDialog } from "./RenameDialog.tsx";
import { goTo, NEW_THREAD_HREF } from "./route.ts";

interface Props {
  readonly thread: ThreadInfo;
  readonly current: boolean;
}

export function ThreadMenu({ thread, current }: Props) {
  const [renaming, setRenaming] = useState(false);
  const { id, pinned } = thread;
  const remove = async () => {
    await deleteWithUndo(thread);
    if (current) goTo(NEW_THREAD_HREF);
  };
  return (
    <>
      <DropdownMenu.Root>
        <DropdownMenu.Trigger className="icon-button small" aria-label={`Options for “${titleOf(thread)}”`}>
          <Ellipsis />
        </DropdownMenu.Trigger>
        <DropdownMenu.Portal>
          <DropdownMenu.Content className="menu" align="end" sideOffset={4}>
            <DropdownMenu.Item className="menu-item" onSelect={() => setRenaming(true)}>
              <Pencil /> Rename
            </DropdownMenu.Item>
            <DropdownMenu.Item className="menu-item" onSelect={() => reported(pinThread(id, !pinned))}>
              {pinned ? <PinOff /> : <Pin />} {pinned ? "Unpin" : "Pin"}
            </DropdownMenu.Item>
            <DropdownMenu.Item className="menu-item danger" onSelect={() => reported(remove())}>
              <Trash2 /> Delete
            </DropdownMenu.Item>
          </DropdownMenu.Content>
        </DropdownMenu.Portal>
      </DropdownMenu.Root>
      <RenameDialog thread={thread} open={renaming} close={() => setRenaming(false)} />
    </>
  );
}
