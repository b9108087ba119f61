import { Ellipsis, Pencil, Trash2 } from "lucide-react";
import { DropdownMenu } from "radix-ui";
import { useState } from "react";
import type { ThreadRow } from "../store/database.ts";
import { DeleteThreadDialog } from "./DeleteThreadDialog.tsx";
import { RenameDialog } from "./RenameDialog.tsx";

interface Props {
  readonly thread: ThreadRow;
  readonly current: boolean;
}

export function ThreadMenu({ thread, current }: Props) {
  const [dialog, setDialog] = useState<"rename" | "delete">();
  const close = () => setDialog(undefined);
  return (
    <>
      <DropdownMenu.Root>
        <DropdownMenu.Trigger className="icon-button small" aria-label={`Options for “${thread.title}”`}>
          <Ellipsis />
        </DropdownMenu.Trigger>
        <DropdownMenu.Portal>
          <DropdownMenu.Content className="menu" align="end" sideOffset={4}>
            <DropdownMenu.Item className="menu-item" onSelect={() => setDialog("rename")}>
              <Pencil /> Rename
            </DropdownMenu.Item>
            <DropdownMenu.Item className="menu-item danger" onSelect={() => setDialog("delete")}>
              <Trash2 /> Delete
            </DropdownMenu.Item>
          </DropdownMenu.Content>
        </DropdownMenu.Portal>
      </DropdownMenu.Root>
      <RenameDialog thread={thread} open={dialog === "rename"} close={close} />
      <DeleteThreadDialog thread={thread} current={current} open={dialog === "delete"} close={close} />
    </>
  );
}
