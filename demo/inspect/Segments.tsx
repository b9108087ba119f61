import { ToggleGroup } from "radix-ui";

interface Props<Choice extends string> {
  readonly label: string;
  readonly choices: Readonly<Record<Choice, string>>;
  readonly chosen: Choice;
  readonly choose: (choice: Choice) => void;
}

/** One of a few, all in view. */
export function Segments<Choice extends string>({ label, choices, chosen, choose }: Props<Choice>) {
  return (
    <ToggleGroup.Root className="segments small" type="single" aria-label={label} value={chosen} onValueChange={(choice) => choice !== "" && choose(choice as Choice)}>
      {Object.entries<string>(choices).map(([choice, name]) => (
        <ToggleGroup.Item key={choice} className="segment" value={choice}>
          {name}
        </ToggleGroup.Item>
      ))}
    </ToggleGroup.Root>
  );
}
