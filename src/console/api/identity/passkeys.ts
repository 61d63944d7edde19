// Passkeys: the browser holds a key pair, and signs what the platform asks it to.

import { api, dataOf } from "../client.ts";
import type { components } from "../schema.d.ts";

type Answer = components["schemas"]["PasskeyAnswer"]["response"];
type Made = components["schemas"]["NewPasskey"]["response"];

const NOTHING_CHOSEN = "No passkey was chosen.";

/** Throws an Error for people where the browser was given none. */
export async function signInByPasskey() {
  const { token, options } = await dataOf(api.POST("/v4/session/passkey", {}));
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options as never);
  const credential = await navigator.credentials.get({ publicKey });
  if (!(credential instanceof PublicKeyCredential)) throw new Error(NOTHING_CHOSEN);
  const passkey = { token, response: credential.toJSON() as Answer };
  return dataOf(api.POST("/v4/session", { body: { passkey } }));
}

/** Makes a passkey of this browser, or of whatever device it asks, for who is signed in. */
export async function createPasskey(name: string) {
  const { token, options } = await dataOf(api.POST("/v4/passkeys/challenge", {}));
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options as never);
  const credential = await navigator.credentials.create({ publicKey });
  if (!(credential instanceof PublicKeyCredential)) throw new Error(NOTHING_CHOSEN);
  return dataOf(api.POST("/v4/passkeys", { body: { name, token, response: credential.toJSON() as Made } }));
}

/** Browsers have none for addresses of machines, and the oldest have none at all. */
export const hasPasskeys = (): boolean =>
  "PublicKeyCredential" in globalThis && "parseRequestOptionsFromJSON" in PublicKeyCredential;
