// The secrets and signatures of Standard Webhooks (standardwebhooks.com, version 1): HMAC-SHA256 over
// `id.timestamp.body`.

import { fromBase64, toBase64 } from "../../core/encoding.ts";

const KEY_BYTES = { min: 24, max: 64 };

/** The key of a secret, which is `whsec_` and the key's base64; undefined for one that is not. */
export function keyOf(secret: string): Uint8Array<ArrayBuffer> | undefined {
  const key = fromBase64(/^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret)?.[1] ?? "");
  return key && key.byteLength >= KEY_BYTES.min && key.byteLength <= KEY_BYTES.max ? key : undefined;
}

export const newSecret = (): string => `whsec_${toBase64(crypto.getRandomValues(new Uint8Array(32)))}`;

export type WebhookMessage = { id: string; at: Date; body: string };

/** The headers of one attempt to send a message: a signature by each secret, so that one may take another's place. */
export async function signWebhook(
  secrets: readonly string[],
  { id, at, body }: WebhookMessage,
): Promise<Record<string, string>> {
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  const signatures = await Promise.all(secrets.map((secret) => signatureOf(secret, `${id}.${timestamp}.${body}`)));
  return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures.join(" ") };
}

async function signatureOf(secret: string, text: string): Promise<string> {
  const bytes = keyOf(secret);
  if (!bytes) throw new Error("The webhook's secret is none.");
  const key = await crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const signature = await crypto.subtle.sign("HMAC", key, new TextEncoder().encode(text));
  return `v1,${toBase64(new Uint8Array(signature))}`;
}
