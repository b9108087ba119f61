/**
 * Versions that no other branch has: the next whole number, and a random fraction. They compare as the integers do that
 * other savers give, so a thread that began with those goes on. From 2^52 on there is no room for a fraction.
 */
export function nextVersion(current: number | undefined): number {
  return Math.floor(current ?? 0) + 1 + Math.floor(Math.random() * 2 ** 32) / 2 ** 32;
}
