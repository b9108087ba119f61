import { useCallback, useLayoutEffect, useRef, useState, type RefObject } from "react";

const NEAR = 48;

interface Stick {
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly content: RefObject<HTMLDivElement | null>;
  readonly away: boolean;
  readonly toBottom: () => void;
}

/** Keeps a scroller at its end while it grows, until the reader scrolls up. */
export function useStickToBottom(): Stick {
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const stuck = useRef(true);
  const [away, setAway] = useState(false);

  const toBottom = useCallback(() => {
    const box = scroller.current;
    if (box !== null) box.scrollTop = box.scrollHeight;
  }, []);

  useLayoutEffect(() => {
    const box = scroller.current;
    const inner = content.current;
    if (box === null || inner === null) return undefined;
    let top = box.scrollTop;
    const onScroll = () => {
      const near = box.scrollHeight - box.scrollTop - box.clientHeight < NEAR;
      // Only a scroll upwards is the reader's: what grows is measured late, which leaves the end far for a moment.
      stuck.current = near || (stuck.current && box.scrollTop >= top);
      top = box.scrollTop;
      setAway(!stuck.current);
    };
    const observer = new ResizeObserver(() => {
      if (stuck.current) toBottom();
    });
    observer.observe(inner);
    observer.observe(box);
    box.addEventListener("scroll", onScroll, { passive: true });
    return () => {
      observer.disconnect();
      box.removeEventListener("scroll", onScroll);
    };
  }, [toBottom]);

  return { scroller, content, away, toBottom };
}
