// Digests, and comparisons that take as long whatever is compared.

import { toBase64, toHex } from "../../core/encoding.ts";

export const sha256 = async (text: string): Promise<Uint8Array> =>
  new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));

export const sha256Hex = async (text: string): Promise<string> => toHex(await sha256(text));

export const sha256Base64 = async (text: string): Promise<string> => toBase64(await sha256(text));

/** In constant time, for bytes of one length. */
export const areEqualBytes = (left: Uint8Array, right: Uint8Array): boolean =>
  left.byteLength === right.byteLength && crypto.subtle.timingSafeEqual(left, right);

/** In constant time whatever the lengths: what is compared are digests. */
export async function areEqualTexts(left: string, right: string): Promise<boolean> {
  const [one, other] = await Promise.all([left, right].map(sha256));
  return crypto.subtle.timingSafeEqual(one!, other!);
}
