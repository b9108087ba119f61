import { TriangleAlert, X } from "lucide-react";
import { dismissFailure, useFailure } from "./failures.ts";

export function FailureBanner() {
  const failure = useFailure();
  if (failure === undefined) return null;
  return (
    <div className="failure-banner" role="status">
      <TriangleAlert />
      <span>{failure.text}</span>
      <button type="button" className="icon-button small" aria-label="Dismiss" onClick={dismissFailure}>
        <X />
      </button>
    </div>
  );
}
