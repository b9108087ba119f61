/**
 * What msgpack has no word for is written as an object with the single key "" that holds `[tag, …]`; an object of the
 * application that has just this key is itself written as a mark. So a decoded "" always is one of ours, and data that
 * looks like any envelope stays data. Tags are part of the format on disk: they are added to, never changed.
 */
export const MARK = "";

export const Tag = {
  /** An object whose keys msgpack would lose, or that looks like a mark: `[key, value, key, value, …]`. */
  entries: 0,
  /** The object without a prototype: entries. */
  bare: 1,
  /** The first place of an object that occurs again: `[n, value]`. */
  label: 2,
  /** Another place of it: `[n]`. */
  same: 3,
  undefined: 4,
  negativeZero: 5,
  bigint: 6,
  /** A string that is not well-formed Unicode, as UTF-16. */
  text: 7,
  hole: 8,
  date: 9,
  map: 10,
  set: 11,
  regexp: 12,
  error: 13,
  buffer: 14,
  view: 15,
  /** An instance of a registered type: `[name, fields]`. */
  instance: 16,
} as const;

/** Of a bigint: more take a second and longer to read. */
export const MOST_DIGITS = 1_000_000;

export type Mark = { readonly [MARK]: readonly [tag: number, ...content: unknown[]] };

export function mark(tag: number, ...content: unknown[]): Mark {
  return { [MARK]: [tag, ...content] };
}

export function isMarked(value: object): value is Mark {
  return Object.hasOwn(value, MARK) && Object.keys(value).length === 1;
}
