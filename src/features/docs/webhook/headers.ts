// Reads a webhook's headers: its wishes, and the description of its body.

import { DOC_LIMITS } from "../limits.ts";
import { Problem } from "../../../core/problem.ts";
import { refuseEncodings } from "../../../http/request/body.ts";
import { readIdempotencyKey } from "../../../http/request/idempotency-key.ts";
import { readPreference } from "../../../http/request/prefer.ts";

export type WebhookHeaders = { idempotencyKey: string | undefined; isAsync: boolean };

/** Refuses, before a byte is read, a body that is too long or no JSON by its type. */
export function readWebhookHeaders(headers: Headers, hasBody: boolean): WebhookHeaders {
  const [type = ""] = (headers.get("content-type") ?? "").toLowerCase().split(";");
  if (hasBody && !/^application\/([\w.+-]+\+)?json$/.test(type.trim()))
    throw new Problem("unsupported_media_type", "Send the body as `Content-Type: application/json`.");
  if (hasBody) refuseEncodings(headers);
  if (Number(headers.get("content-length")) > DOC_LIMITS.webhookBodyBytesMax)
    throw new Problem("body_too_large", `A webhook's body may have at most ${DOC_LIMITS.webhookBodyBytesMax} bytes.`);
  const { isAsync } = readPreference(headers.get("prefer"));
  return { idempotencyKey: readIdempotencyKey(headers), isAsync };
}
