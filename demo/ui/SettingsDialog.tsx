import { X } from "lucide-react";
import { Dialog, RadioGroup } from "radix-ui";
import { changeSettings, type Settings } from "../store/settings.ts";
import { EndpointFields } from "./EndpointFields.tsx";
import { reported } from "./failures.ts";
import { useBuiltInModel } from "./useBuiltInModel.ts";

interface Props {
  readonly settings: Settings;
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
}

const THEMES = [
  { value: "system", label: "As the system" },
  { value: "light", label: "Light" },
  { value: "dark", label: "Dark" },
] as const;

const MODELS = [
  { value: "offline", label: "Offline agent", text: "A small program that knows a few kinds of request. Not a language model. Nothing leaves this page." },
  { value: "endpoint", label: "OpenAI-compatible endpoint", text: "A language model of your choice, for example one that runs on your own machine." },
] as const;

const BUILT_IN = {
  unavailable: "This browser has none that a page may use.",
  downloadable: "The browser fetches it once, at the first answer, which may take minutes. Uses no tools. Nothing leaves this browser.",
  downloading: "The browser is fetching it. Uses no tools. Nothing leaves this browser.",
  available: "A small language model that comes with the browser. Uses no tools. Nothing leaves this browser.",
} as const;

export function SettingsDialog({ settings, open, onOpenChange }: Props) {
  const builtIn = useBuiltInModel(open);
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Overlay className="overlay" />
        <Dialog.Content className="dialog" aria-describedby={undefined}>
          <div className="dialog-head">
            <Dialog.Title className="dialog-title">Settings</Dialog.Title>
            <Dialog.Close className="icon-button" aria-label="Close">
              <X />
            </Dialog.Close>
          </div>
          <h3 className="dialog-section">What answers</h3>
          <RadioGroup.Root
            className="choices"
            aria-label="What answers"
            value={settings.model}
            onValueChange={(model) => reported(changeSettings({ model: model as Settings["model"] }))}
          >
            {[...MODELS, { value: "built-in", label: "The browser’s own model", text: BUILT_IN[builtIn] }].map(({ value, label, text }) => (
              <RadioGroup.Item key={value} value={value} className="choice" aria-label={label} disabled={value === "built-in" && builtIn === "unavailable"}>
                <span className="choice-mark" aria-hidden="true" />
                <span>
                  <strong>{label}</strong>
                  <span className="choice-text">{text}</span>
                </span>
              </RadioGroup.Item>
            ))}
          </RadioGroup.Root>
          {settings.model === "endpoint" && <EndpointFields settings={settings} />}
          <h3 className="dialog-section">Appearance</h3>
          <RadioGroup.Root
            className="segments"
            aria-label="Appearance"
            value={settings.theme}
            onValueChange={(theme) => reported(changeSettings({ theme: theme as Settings["theme"] }))}
          >
            {THEMES.map(({ value, label }) => (
              <RadioGroup.Item key={value} value={value} className="segment">
                {label}
              </RadioGroup.Item>
            ))}
          </RadioGroup.Root>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
