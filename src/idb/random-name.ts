/** A name that nothing else has. `crypto.randomUUID` would be missing on pages that are not served securely. */
export function randomName(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join("");
}
