// JSON Web Tokens (RFC 7519), taken apart. Whether one is signed, and by whom, is for the caller to ask.

import { isObject } from "../../kernel/text/is-object.ts";
import { fromBase64url } from "./encoding.ts";

export type JsonWebToken = {
  header: Record<string, unknown>;
  claims: Record<string, unknown>;
  /** What the signature is of. */
  signedText: string;
  signature: Uint8Array<ArrayBuffer>;
};

/**
 * Undefined for what is none, is longer, or names another algorithm than the caller's only one. A header that asks for
 * more than is understood here asks in vain.
 */
export function parseJsonWebToken(
  text: string,
  { algorithm, charactersMax }: { algorithm: string; charactersMax: number },
): JsonWebToken | undefined {
  const [head = "", payload = "", signed = "", ...more] = text.length > charactersMax ? [] : text.split(".");
  const [header, claims, signature] = [objectOf(head), objectOf(payload), bytesOf(signed)];
  if (!header || !claims || !signature || more.length > 0) return undefined;
  if (header["alg"] !== algorithm || "crit" in header) return undefined;
  return { header, claims, signedText: `${head}.${payload}`, signature };
}

const bytesOf = (part: string): Uint8Array<ArrayBuffer> | undefined =>
  /^[\w-]+$/.test(part) ? fromBase64url(part) : undefined;

function objectOf(part: string): Record<string, unknown> | undefined {
  try {
    const bytes = bytesOf(part);
    const value: unknown =
      bytes && JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
