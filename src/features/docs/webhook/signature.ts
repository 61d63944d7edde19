// The signature of a webhook that comes in, after Standard Webhooks: computed while the body streams by.

import { fromBase64 } from "../../../core/encoding.ts";
import { DOC_LIMITS } from "../limits.ts";
import { Problem } from "../../../core/problem.ts";
import { areEqualBytes } from "../../../platform/crypto/digest.ts";
import { keyOf } from "../../../platform/crypto/webhook-signature.ts";

export type Signed = { id: string; body: ReadableStream<Uint8Array>; verify: () => Promise<void> };

/**
 * The body, which computes as it is read. `verify` is for after the last byte; it throws `auth_invalid_token` where no
 * signature of the header fits. Headers that are missing or too old are refused before a byte is read.
 */
export async function checkSignature(
  secret: string,
  headers: Headers,
  body: ReadableStream<Uint8Array>,
  now: Date,
): Promise<Signed> {
  const [id, timestamp, signatures] = ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) =>
    headers.get(name),
  );
  if (!id || !timestamp || !signatures)
    throw refused("This doc takes signed webhooks only: send webhook-id, webhook-timestamp and webhook-signature.");
  if (
    !/^\d{1,12}$/.test(timestamp) ||
    Math.abs(now.getTime() - Number(timestamp) * 1_000) > DOC_LIMITS.webhookClockSkewMs
  ) {
    throw refused(`webhook-timestamp is more than ${DOC_LIMITS.webhookClockSkewMs / 60_000} minutes off.`);
  }
  const key = keyOf(secret);
  if (!key) throw refused("This doc's webhook secret is not valid: set another.");
  const hmac = await openHmac(key);
  await hmac.write(encode(`${id}.${timestamp}.`));
  const reading = new TransformStream<Uint8Array, Uint8Array>({
    async transform(chunk, controller) {
      await hmac.write(chunk);
      controller.enqueue(chunk);
    },
  });
  return {
    id,
    body: body.pipeThrough(reading),
    async verify() {
      const expected = await hmac.finish();
      const given = signatures
        .split(" ")
        .slice(0, SIGNATURES_MAX)
        .flatMap((text) => (text.startsWith("v1,") ? [fromBase64(text.slice(3)) ?? NO_BYTES] : []));
      if (!given.some((bytes) => areEqualBytes(bytes, expected))) throw refused("The signature does not fit the body.");
    },
  };
}

/** While secrets are rotated a sender signs with each. */
const SIGNATURES_MAX = 10;
const BLOCK_BYTES = 64;
const NO_BYTES = new Uint8Array();

const refused = (detail: string): Problem => new Problem("auth_invalid_token", detail);
const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

/** RFC 2104 over the runtime's streaming digest: WebCrypto's own HMAC wants the whole message at once. */
async function openHmac(
  key: Uint8Array,
): Promise<{ write: (bytes: Uint8Array) => Promise<void>; finish: () => Promise<Uint8Array> }> {
  const block = new Uint8Array(BLOCK_BYTES);
  block.set(key.byteLength > BLOCK_BYTES ? new Uint8Array(await crypto.subtle.digest("SHA-256", key)) : key);
  const padded = (pad: number): Uint8Array => block.map((byte) => byte ^ pad);
  const inner = new crypto.DigestStream("SHA-256");
  const writer = inner.getWriter();
  await writer.write(padded(0x36));
  return {
    write: (bytes) => writer.write(bytes),
    async finish() {
      await writer.close();
      const digest = new Uint8Array(await inner.digest);
      const outer = new Uint8Array(BLOCK_BYTES + digest.byteLength);
      outer.set(padded(0x5c));
      outer.set(digest, BLOCK_BYTES);
      return new Uint8Array(await crypto.subtle.digest("SHA-256", outer));
    },
  };
}
