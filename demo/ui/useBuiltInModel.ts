import { useEffect, useState } from "react";
import { availability } from "../agent/models/builtIn/api.ts";
import { reported } from "./failures.ts";

/** Whether this browser has a language model of its own, asked for again whenever the settings are opened. */
export function useBuiltInModel(open: boolean): Awaited<ReturnType<typeof availability>> {
  const [state, setState] = useState<Awaited<ReturnType<typeof availability>>>("unavailable");
  useEffect(() => {
    if (open) reported(availability().then(setState));
  }, [open]);
  return state;
}
