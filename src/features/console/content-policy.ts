// The console's content security policy: scripts of this host alone, styles that carry the answer's nonce, and requests
// to this host and to the bucket, which takes and hands out files by signed URLs.

import { toHex } from "../../core/encoding.ts";

const NONCE_BYTES = 16;

/** The build leaves this word in the page wherever a nonce belongs. */
export const NONCE_PLACE = "CSP_NONCE";

export const mintNonce = (): string => toHex(crypto.getRandomValues(new Uint8Array(NONCE_BYTES)));

/** `bucketOrigin` is where signed URLs of the bucket lead. */
export const contentPolicy = (nonce: string, bucketOrigin: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    `connect-src 'self' ${bucketOrigin}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
