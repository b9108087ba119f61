import type { Settings } from "../store/settings.ts";

interface Props {
  readonly settings: Settings;
  readonly openSettings: () => void;
}

/** Says honestly what answers here. */
export function ModelLine({ settings, openSettings }: Props) {
  return (
    <p className="model-line">
      <span>{answerer(settings)}</span>
      <button type="button" className="link" onClick={openSettings}>
        Change
      </button>
    </p>
  );
}

function answerer({ model, modelName, baseUrl }: Settings): string {
  if (model === "offline") return "Offline agent, not a language model.";
  if (model === "built-in") return "The browser’s own model. Nothing leaves this browser.";
  if (!URL.canParse(baseUrl)) return "No endpoint is set up yet.";
  return `${modelName === "" ? "A model" : modelName} at ${new URL(baseUrl).host}`;
}
