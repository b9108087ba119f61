import { Menu } from "lucide-react";
import { Dialog } from "radix-ui";
import { useState, type ReactNode } from "react";

/** The side list on a narrow screen. */
export function Drawer({ children }: { readonly children: ReactNode }) {
  const [open, setOpen] = useState(false);
  return (
    <Dialog.Root open={open} onOpenChange={setOpen}>
      <Dialog.Trigger className="icon-button drawer-trigger" aria-label="Threads">
        <Menu />
      </Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Overlay className="overlay" />
        <Dialog.Content className="drawer" aria-describedby={undefined} onClick={(event) => closeAfterLink(event.target, setOpen)}>
          <Dialog.Title className="visually-hidden">Threads</Dialog.Title>
          {children}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function closeAfterLink(target: EventTarget, setOpen: (open: boolean) => void): void {
  if (target instanceof Element && target.closest("a, [data-closes-drawer]") !== null) setOpen(false);
}
