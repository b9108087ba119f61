import { changeSettings, type Settings } from "../store/settings.ts";
import { reported } from "./failures.ts";

const FIELDS = [
  { key: "baseUrl", label: "Base URL", type: "url", placeholder: "http://localhost:11434/v1", hint: "The address before /chat/completions." },
  { key: "modelName", label: "Model", type: "text", placeholder: "qwen3:8b", hint: "As the endpoint names it." },
  { key: "apiKey", label: "API key", type: "password", placeholder: "", hint: "Leave it empty if the endpoint wants none. It is kept unencrypted in this browser and sent to the endpoint only." },
] as const;

export function EndpointFields({ settings }: { readonly settings: Settings }) {
  return (
    <form className="endpoint" onSubmit={(event) => event.preventDefault()}>
      {FIELDS.map(({ key, label, type, placeholder, hint }) => (
        <label className="field" key={key}>
          <span>{label}</span>
          <input
            type={type}
            defaultValue={settings[key]}
            placeholder={placeholder}
            autoComplete="off"
            spellCheck={false}
            aria-describedby={`${key}-hint`}
            onChange={(event) => reported(changeSettings({ [key]: event.target.value.trim() }))}
          />
          <small id={`${key}-hint`}>{hint}</small>
        </label>
      ))}
    </form>
  );
}
