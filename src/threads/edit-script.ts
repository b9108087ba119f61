import type { EditedValue } from "../engine/index.ts";

type Segment = EditedValue["segments"][number];

/** How a list comes from another one: what stayed, told by identity, and what is new. */
export interface EditScript {
  readonly segments: readonly Segment[];
  readonly added: readonly unknown[];
}

/** Of two lists between which no item was changed in place. An item that stayed is the same object, or the same primitive. */
export function editScript(before: readonly unknown[], after: readonly unknown[]): EditScript {
  const segments: Segment[] = [];
  const added: unknown[] = [];
  let places: Map<unknown, number> | undefined;
  let next = 0;
  const placeOf = (item: unknown): number | undefined => {
    if (next < before.length && before[next] === item) return next;
    if (next >= before.length) return undefined;
    places ??= new Map(before.map((each, place) => [each, place]));
    return places.get(item);
  };
  for (const item of after) {
    const place = placeOf(item);
    const last = segments.at(-1);
    if (place === undefined) {
      added.push(item);
      if (last?.length === 1) segments[segments.length - 1] = [last[0] + 1];
      else segments.push([1]);
      continue;
    }
    if (last?.length === 2 && last[0] + last[1] === place) segments[segments.length - 1] = [last[0], last[1] + 1];
    else segments.push([place, 1]);
    next = place + 1;
  }
  return { segments, added };
}
