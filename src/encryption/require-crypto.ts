import { CryptoUnavailableError } from "../errors/index.ts";

/** Pages that are not served securely have none. */
export function requireCrypto(): void {
  if ((crypto as Partial<Crypto>).subtle === undefined) throw new CryptoUnavailableError({});
}
