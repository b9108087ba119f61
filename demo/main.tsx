import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { purgeBefore, UNDO_MS } from "./conversation/deletion.ts";
import { keepForOffline } from "./offline/registration.ts";
import { App } from "./ui/App.tsx";
import { ErrorBoundary } from "./ui/ErrorBoundary.tsx";
import { reported } from "./ui/failures.ts";
import "./ui/styles/index.css";

const root = document.getElementById("root");
if (root === null) throw new Error("The page has no element #root.");

createRoot(root).render(
  <StrictMode>
    <ErrorBoundary>
      <App />
    </ErrorBoundary>
  </StrictMode>,
);

reported(purgeBefore(Date.now() - UNDO_MS));
if (import.meta.env.PROD) reported(keepForOffline());

if (new URLSearchParams(location.search).has("seed")) reported(import("./seed.ts").then(({ offerSeeds }) => offerSeeds()));
