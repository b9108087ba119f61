import type { BaseMessage } from "@langchain/core/messages";
import { useCallback } from "react";
import { counted } from "../numbers.ts";
import { Failed } from "../Panel.tsx";
import { previewOf } from "../time/wording.ts";
import { useStored } from "../useStored.ts";
import { differenceOf } from "./difference.ts";

interface Props {
  readonly threadId: string;
  readonly tips: readonly [string, string];
  /** The numbers that the branches have in the list. */
  readonly names: readonly [number, number];
}

export function CompareBranches({ threadId, tips: [one, other], names }: Props) {
  const read = useCallback(() => differenceOf(threadId, [one, other]), [threadId, one, other]);
  const { value: difference, problem, again } = useStored(threadId, read);
  if (problem !== undefined) return <Failed problem={problem} again={again} />;
  if (difference === undefined) return null;
  return (
    <section className="compare" aria-label="Comparison">
      <h3>
        Branch {names[0]} and branch {names[1]}
      </h3>
      <p className="panel-says">Both begin with the same {counted(difference.shared, "message")}.</p>
      <div className="compare-columns">
        <Side name={names[0]} messages={difference.only[0]} />
        <Side name={names[1]} messages={difference.only[1]} />
      </div>
    </section>
  );
}

function Side({ name, messages }: { readonly name: number; readonly messages: readonly BaseMessage[] }) {
  return (
    <div>
      <h4>Only in {name}</h4>
      {messages.length === 0 ? (
        <p className="panel-empty">Nothing more.</p>
      ) : (
        <ol>
          {messages.map((message, position) => (
            <li key={message.id ?? position} data-type={message.type}>
              <small>{message.type}</small> {previewOf(message)}
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}
