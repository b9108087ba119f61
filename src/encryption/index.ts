export { type DeviceKeyOptions, deviceKey, forgetDeviceKey } from "./device-key.ts";
export { keyFromPassphrase, type PassphraseOptions } from "./passphrase.ts";
export { reencrypt, type ReencryptOptions } from "./reencrypt.ts";
