import type { Step } from "langgraph-checkpoint-indexeddb/threads";
import { nameOf, numberOf, previewOf } from "./wording.ts";

const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", second: "2-digit", fractionalSecondDigits: 3 });

export function StepDetails({ step }: { readonly step: Step }) {
  const { id, created, metadata, changed, writes } = step;
  return (
    <section className="step-details" aria-label="The step">
      <h3>
        Step {numberOf(step)} · {nameOf(step)}
      </h3>
      <dl className="facts">
        <dt>Stored at</dt>
        <dd>
          <time dateTime={created.toISOString()}>{clock.format(created)}</time>
        </dd>
        <dt>Source</dt>
        <dd>{String(metadata["source"])}</dd>
        <dt>Changed</dt>
        <dd>{changed.length === 0 ? "nothing" : changed.join(", ")}</dd>
        <dt>Checkpoint</dt>
        <dd>
          <code title={id}>{id}</code>
        </dd>
        <dt>Writes</dt>
        <dd>
          {writes.length === 0 ? (
            "none"
          ) : (
            <ul>
              {writes.map(({ channel, value, task }, position) => (
                <li key={`${task} ${String(position)}`}>
                  <code>{channel}</code> {previewOf(value)}
                </li>
              ))}
            </ul>
          )}
        </dd>
      </dl>
    </section>
  );
}
