const UUID = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/;
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)/g;

/**
 * A text in which ids are numbered as they first come (`id-1`, `id-2`, …), and points in time are just `time`: two runs that did
 * the same give the same text.
 *
 * @param ids what is an id beside UUIDs
 */
export function stable(text: string, ids: readonly RegExp[]): string {
  const numbers = new Map<string, number>();
  const all = new RegExp([UUID, ...ids].map(({ source }) => `(?:${source})`).join("|"), "gi");
  return text.replaceAll(TIME, "time").replaceAll(all, (id) => {
    numbers.set(id, numbers.get(id) ?? numbers.size + 1);
    return `id-${numbers.get(id)!}`;
  });
}
