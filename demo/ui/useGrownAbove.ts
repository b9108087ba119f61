import { useLayoutEffect, useRef } from "react";

/** Whether this rendering has more above what the last one showed, and the same end. */
export function useGrownAbove(start: number, end: string | undefined): boolean {
  const shown = useRef({ start, end });
  const grown = start < shown.current.start && end === shown.current.end;
  useLayoutEffect(() => {
    shown.current = { start, end };
  }, [start, end]);
  return grown;
}
