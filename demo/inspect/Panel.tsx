import { TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import type { Problem } from "../conversation/problem.ts";

/** One view of the inspector, with the sentence that says what it shows. */
export function Panel({ says, children }: { readonly says: ReactNode; readonly children: ReactNode }) {
  return (
    <div className="panel">
      <p className="panel-says">{says}</p>
      {children}
    </div>
  );
}

export function Empty({ children }: { readonly children: ReactNode }) {
  return <p className="panel-empty">{children}</p>;
}

/** What failed, in a sentence, and the button that tries again. */
export function Failed({ problem: { title, text, remedy }, again }: { readonly problem: Problem; readonly again: () => void }) {
  return (
    <section className="problem" role="alert">
      <TriangleAlert />
      <div>
        <h3>{title}</h3>
        <p>{text}</p>
        <div className="problem-actions">
          {remedy === "reload" ? (
            <button type="button" className="button small" onClick={() => location.reload()}>
              Reload
            </button>
          ) : (
            <button type="button" className="button small" onClick={again}>
              Try again
            </button>
          )}
        </div>
      </div>
    </section>
  );
}
