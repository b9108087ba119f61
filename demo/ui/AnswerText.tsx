import { memo } from "react";
import Markdown from "react-markdown";
import remarkGfm from "remark-gfm";

const plugins = [remarkGfm];

/** An answer in Markdown. Raw HTML stays text. */
export const AnswerText = memo(function AnswerText({ text }: { readonly text: string }) {
  return (
    <div className="markdown">
      <Markdown remarkPlugins={plugins}>{text}</Markdown>
    </div>
  );
});
