import type { ReactNode } from "react";
import { NEW_THREAD_HREF } from "./route.ts";

export function MissingThread({ menu }: { readonly menu: ReactNode }) {
  return (
    <main className="page">
      <header className="page-head">{menu}</header>
      <div className="blank">
        <h1>This thread is not here</h1>
        <p>It was deleted, or it was made in another browser: threads never leave the browser they are in.</p>
        <a className="button primary" href={NEW_THREAD_HREF}>
          Start a new thread
        </a>
      </div>
    </main>
  );
}
