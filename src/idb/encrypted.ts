/** What only encrypted databases need, loaded when one is opened. */
export { openEncrypted } from "./encrypted-database.ts";
export { Vault } from "./vault.ts";
