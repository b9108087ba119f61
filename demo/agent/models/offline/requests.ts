/** What the offline agent understands in one part of a message. */
export type Request =
  | { readonly kind: "calculate"; readonly expression: string }
  | { readonly kind: "convert"; readonly value: number; readonly from: string; readonly to: string }
  | { readonly kind: "date"; readonly phrase: string }
  | { readonly kind: "wait"; readonly seconds: number }
  | { readonly kind: "save"; readonly text: string }
  | { readonly kind: "find"; readonly query: string }
  | { readonly kind: "delete"; readonly query: string };

type Reader = (part: string) => Request | undefined;

const NUMBER = String.raw`-?\d+(?:\.\d+)?`;
const ASK = String.raw`(?:please |can you |could you )*(?:(?:what is|what's|what are|how much is|calculate|compute|work out|convert|tell me) )?`;
const OUR_UNITS = String.raw`[a-z°][a-z°/^0-9]*`;

const WORDS: Readonly<Record<string, string>> = { times: "*", plus: "+", minus: "-", "divided by": "/", "×": "*", "÷": "/", "−": "-" };

const asNumber = (digits: string | undefined): number => Number((digits ?? "").replaceAll(",", ""));

function save(part: string): Request | undefined {
  const text = /^(?:please |can you |could you )*(?:(?:save|make|add|take|write)(?: down)?(?: me)? (?:a |this |the )?note(?: that| to|:)?|note(?: down)?(?: that|:)?|remember(?: that| to|:)?)[:,]?\s+(.+)$/is.exec(part)?.[1];
  return text === undefined ? undefined : { kind: "save", text: text.trim() };
}

function remove(part: string): Request | undefined {
  const match = /^(?:please |can you |could you )*(?:delete|remove|forget) (?:(all)(?: of)? (?:my |the )?notes?|(?:my |the )?notes?(?: (?:about|on|with|that says?))?\s+(.+))$/is.exec(part);
  return match === null ? undefined : { kind: "delete", query: plain(match[2] ?? "") };
}

function find(part: string): Request | undefined {
  const match = /^(?:please |can you |could you )*(?:(?:show|list|find|search|read)(?: me)?|what(?: are|'s in)|which|do i have)(?: all)?(?: of)?(?: my| the| any)? notes?(?: do i have)?(?: (?:about|on|for|with|that mention)\s+(.+))?$/is.exec(part);
  return match === null ? undefined : { kind: "find", query: plain(match[1] ?? "") };
}

function wait(part: string): Request | undefined {
  const match = new RegExp(String.raw`^(?:please )?(?:wait|sleep|(?:set|start) (?:a |the )?timer|timer)(?: (?:for|of))? (${NUMBER}) ?(s|sec|seconds?|m|min|minutes?)$`, "i").exec(part);
  if (match === null) return undefined;
  return { kind: "wait", seconds: asNumber(match[1]) * ((match[2] ?? "").toLowerCase().startsWith("m") ? 60 : 1) };
}

function convert(part: string): Request | undefined {
  const given = new RegExp(String.raw`^${ASK}(-?[\d,]+(?:\.\d+)?) ?(${OUR_UNITS}) (?:to|in|into|as) (${OUR_UNITS})$`, "i").exec(part);
  if (given !== null) return { kind: "convert", value: asNumber(given[1]), from: given[2] ?? "", to: given[3] ?? "" };
  const asked = new RegExp(String.raw`^how many (${OUR_UNITS}) (?:are|is) (?:there )?(?:in )?(-?[\d,]+(?:\.\d+)?) ?(${OUR_UNITS})$`, "i").exec(part);
  return asked === null ? undefined : { kind: "convert", value: asNumber(asked[2]), from: asked[3] ?? "", to: asked[1] ?? "" };
}

function date(part: string): Request | undefined {
  const phrase = /^(?:how (?:many days|long|far)(?: is it| are there)? (?:until|till|to|since)|(?:what|which) (?:date|day)(?: of the week)? (?:is|was|will it be)|when (?:is|was)) (?:it )?(.+)$/i.exec(part)?.[1];
  return phrase === undefined ? undefined : { kind: "date", phrase };
}

function calculate(part: string): Request | undefined {
  const asked = new RegExp(`^${ASK}(.+)$`, "i").exec(part)?.[1] ?? part;
  const symbols = Object.entries(WORDS).reduce((text, [word, sign]) => text.replaceAll(new RegExp(word, "gi"), sign), asked);
  const expression = symbols.replaceAll(/(\d),(?=\d{3}\b)/g, "$1").replaceAll(/([\d.]+) ?(?:%|percent) of /gi, "$1% * ").trim();
  const isArithmetic = /^(?:[\d\s.+\-*/^%(),!]|pi|e(?![a-z])|sqrt|abs|log10|log2|log|exp|sin|cos|tan|round|floor|ceil|mod|min|max)+$/i.test(expression);
  return isArithmetic && /\d/.test(expression) && /[+\-*/^%!(]/.test(expression) ? { kind: "calculate", expression } : undefined;
}

const plain = (query: string): string => query.replaceAll(/^["“”']+|["“”'.]+$/g, "").trim();

const readers: readonly Reader[] = [save, remove, find, wait, convert, date, calculate];

const read = (part: string): Request | undefined => {
  const trimmed = part.trim().replace(/[?.!,;]+$/, "");
  return readers.reduce<Request | undefined>((request, reader) => request ?? reader(trimmed), undefined);
};

/**
 * Reads a message part by part. “and” joins two requests only where both sides are requests, so that
 * a note may hold the word; the parts that mean nothing to the agent are left out.
 */
export function requestsIn(message: string): Request[] {
  return message.split(/\n+|;|(?<=[?!])\s+|(?<=[a-z)])\.\s+|(?<=\d)\.\s+(?=[A-Z])/).flatMap(inSentence);
}

function inSentence(sentence: string): Request[] {
  const joints = [...sentence.matchAll(/,?\s+(?:and(?: then)?|then)\s+|,\s+/gi)];
  for (const joint of joints) {
    const before = read(sentence.slice(0, joint.index));
    const after = inSentence(sentence.slice(joint.index + joint[0].length));
    if (before !== undefined && after.length > 0) return [before, ...after];
  }
  const whole = read(sentence);
  return whole === undefined ? [] : [whole];
}
