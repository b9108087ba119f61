import { Calculator, CalendarDays, NotebookPen, RotateCcw, type LucideIcon } from "lucide-react";

const SUGGESTIONS: readonly { readonly icon: LucideIcon; readonly text: string; readonly hint: string }[] = [
  { icon: Calculator, text: "What is 18 * 37, and convert 26.2 miles to km", hint: "Two tools side by side" },
  { icon: NotebookPen, text: "Remember to buy oat milk", hint: "Asks before it saves, even after a reload" },
  { icon: RotateCcw, text: "Calculate 17% of 240 and wait 10 seconds", hint: "Reload while the timer runs" },
  { icon: CalendarDays, text: "How many days until 24 December?", hint: "Looks the date up" },
];

export function Suggestions({ choose }: { readonly choose: (text: string) => void }) {
  return (
    <ul className="suggestions" aria-label="Suggestions">
      {SUGGESTIONS.map(({ icon: Icon, text, hint }) => (
        <li key={text}>
          <button type="button" onClick={() => choose(text)}>
            <Icon />
            <span>
              <strong>{text}</strong>
              <small>{hint}</small>
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}
