import { ArrowUp, Square } from "lucide-react";
import { useEffect, useRef, useState, type KeyboardEvent, type SyntheticEvent } from "react";
import { readDraft, writeDraft } from "../store/drafts.ts";
import { reported } from "./failures.ts";

interface Props {
  readonly draftId: string;
  readonly send: (text: string) => void;
  readonly stop?: (() => void) | undefined;
  /** Why nothing can be sent now. */
  readonly blocked?: string | undefined;
  /** A message to give back, since it could not be sent. */
  readonly unsent?: string | undefined;
}

export function Composer({ draftId, send, stop, blocked, unsent }: Props) {
  const [text, setText] = useState("");
  const field = useRef<HTMLTextAreaElement>(null);

  useEffect(() => {
    let shown = true;
    reported(
      readDraft(draftId).then((draft) => {
        if (shown) setText((typed) => (typed === "" ? draft : typed));
      }),
    );
    if (matchMedia("(pointer: fine)").matches) field.current?.focus();
    return () => {
      shown = false;
    };
  }, [draftId]);

  useEffect(() => {
    if (unsent !== undefined) setText((typed) => (typed === "" ? unsent : typed));
  }, [unsent]);

  const change = (next: string) => {
    setText(next);
    reported(writeDraft(draftId, next));
  };

  const submit = (event?: SyntheticEvent) => {
    event?.preventDefault();
    const message = text.trim();
    if (message === "" || blocked !== undefined || stop !== undefined) return;
    change("");
    send(message);
  };

  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing) {
      event.preventDefault();
      submit();
    }
    if (event.key === "Escape") stop?.();
  };

  return (
    <form className="composer" onSubmit={submit}>
      <textarea
        id="message"
        ref={field}
        rows={1}
        value={text}
        aria-label="Message"
        placeholder={blocked ?? "Message the agent"}
        onChange={(event) => change(event.target.value)}
        onKeyDown={onKeyDown}
      />
      {stop === undefined ? (
        <button type="submit" className="send" aria-label="Send" disabled={text.trim() === "" || blocked !== undefined}>
          <ArrowUp />
        </button>
      ) : (
        <button type="button" className="send" aria-label="Stop" onClick={stop}>
          <Square fill="currentColor" />
        </button>
      )}
    </form>
  );
}
