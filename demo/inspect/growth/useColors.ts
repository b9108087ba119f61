import { useEffect, useState } from "react";

export interface Colors {
  readonly ink: string;
  readonly line: string;
  readonly page: string;
  readonly copies: string;
  readonly stored: string;
  readonly storedSoft: string;
  readonly content: string;
}

const NAMES: Readonly<Record<keyof Colors, string>> = {
  ink: "--ink-soft",
  line: "--line",
  page: "--page",
  copies: "--warm",
  stored: "--accent",
  storedSoft: "--accent-soft",
  content: "--ink-soft",
};

/** The theme's colors, as a canvas wants them: resolved, and again when the theme changes. */
export function useColors(): Colors {
  const [colors, setColors] = useState(resolve);
  useEffect(() => {
    const update = () => setColors(resolve());
    const media = matchMedia("(prefers-color-scheme: dark)");
    const observer = new MutationObserver(update);
    media.addEventListener("change", update);
    observer.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
    return () => {
      media.removeEventListener("change", update);
      observer.disconnect();
    };
  }, []);
  return colors;
}

function resolve(): Colors {
  const probe = document.body.appendChild(document.createElement("span"));
  const resolved = Object.entries(NAMES).map(([name, property]): [string, string] => {
    probe.style.color = `var(${property})`;
    return [name, getComputedStyle(probe).color];
  });
  probe.remove();
  return Object.fromEntries(resolved) as unknown as Colors;
}
