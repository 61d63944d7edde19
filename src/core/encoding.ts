// Bytes as text: base64 and base64url (RFC 4648), and hexadecimal.

/** A call has room for so many arguments; one more of these would overflow the stack. */
const PIECE_BYTES = 32_768;

export function toBase64(bytes: Uint8Array): string {
  let text = "";
  for (let from = 0; from < bytes.length; from += PIECE_BYTES)
    text += String.fromCharCode(...bytes.subarray(from, from + PIECE_BYTES));
  return btoa(text);
}

/** Without padding. */
export const toBase64url = (bytes: Uint8Array): string =>
  toBase64(bytes).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");

/** Undefined for what is no base64. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

/** The alphabet of base64 is taken as well, with padding or without. */
export const fromBase64url = (text: string): Uint8Array<ArrayBuffer> | undefined =>
  fromBase64(text.replaceAll("-", "+").replaceAll("_", "/"));

export const toHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
