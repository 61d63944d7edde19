// Request bodies are bounded before anybody reads them, whether or not they say how long they are.

import type { RouteConfig } from "@hono/zod-openapi";
import { createMiddleware } from "hono/factory";
import { REQUEST_LIMITS } from "./limits.ts";
import { invalidAt, Problem } from "../../core/problem.ts";
import type { AppEnv } from "../app-env.ts";

type DeclaredBody = NonNullable<NonNullable<RouteConfig["request"]>["body"]>;

const streamedBodies = new WeakSet<object>();

/** Marks a declared body that its operation passes on as it comes, and bounds itself. */
export function streamed<Body extends DeclaredBody>(body: Body): Body {
  streamedBodies.add(body);
  return body;
}

export const isStreamed = (body: object): boolean => streamedBodies.has(body);

/**
 * The body of a request as it streams; null where there is none, or an empty one. Without a stated length the first
 * byte is waited for.
 */
export async function presentBody({ headers, body }: Request): Promise<ReadableStream<Uint8Array> | null> {
  const length = headers.get("content-length");
  if (body === null || length === "0") return null;
  if (length !== null) return body;
  const [seen, whole] = body.tee();
  for await (const chunk of seen) if (chunk.byteLength > 0) return whole;
  return null;
}

/** A stated length beyond the bound is refused unread; without one the body is read up to the bound and no further. */
export const limitBody = createMiddleware<AppEnv>(async (c, next) => {
  const { raw } = c.req;
  const length = Number(raw.headers.get("content-length"));
  if (length > REQUEST_LIMITS.bodyBytesMax) throw tooLarge();
  if (raw.body) {
    refuseEncodings(raw.headers);
    // The runtime holds a body to the length that it states, so that it can be read in one piece.
    const body = length > 0 ? new Uint8Array(await raw.arrayBuffer()) : await readBounded(raw.body);
    if (body.byteLength > REQUEST_LIMITS.bodyBytesMax) throw tooLarge();
    refuseBrokenText(body);
    if (/\bjson\b/i.test(raw.headers.get("content-type") ?? "")) refuseCrowds(body);
    c.req.raw = new Request(raw, { body });
  }
  await next();
});

/** For a required body whose members are all optional: one that is absent would pass for one without members. */
export const requireBody = createMiddleware<AppEnv>(async (c, next) => {
  const { body, headers } = c.req.raw;
  if (body === null || headers.get("content-length") === "0") {
    const message = "Send a body; `{}` will do.";
    throw invalidAt("", message);
  }
  await next();
});

/**
 * An optional body that is absent, or empty whatever its type, is an object without members: its schema's defaults
 * apply.
 * Comes after `limitBody`, which has read it.
 */
export const fillAbsentBody = createMiddleware<AppEnv>(async (c, next) => {
  const { raw } = c.req;
  if (raw.body === null || (await raw.clone().arrayBuffer()).byteLength === 0) {
    const headers = new Headers(raw.headers);
    headers.set("content-type", "application/json");
    headers.delete("content-length");
    c.req.raw = new Request(raw, { body: "{}", headers });
  }
  await next();
});

/** What is not plain UTF-8 would be misread, not refused, further on. */
export function refuseEncodings(headers: Headers): void {
  const [, charset = "utf-8"] = /;\s*charset="?([^\s";]+)/i.exec(headers.get("content-type") ?? "") ?? [];
  const encoding = headers.get("content-encoding") ?? "identity";
  if (!/^utf-?8$/i.test(charset)) throw new Problem("unsupported_media_type", "Send the body in UTF-8.");
  if (encoding.toLowerCase() !== "identity")
    throw new Problem("unsupported_media_type", "Send the body without a Content-Encoding.");
}

function refuseBrokenText(body: Uint8Array): void {
  try {
    new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body);
  } catch {
    const message = "The body is not valid UTF-8.";
    throw invalidAt("", message);
  }
}

/**
 * Commas and opening brackets outside strings are as many as there are values, or more. Fewer bytes than the bound
 * can't pass it.
 */
function refuseCrowds(body: Uint8Array): void {
  if (body.byteLength <= REQUEST_LIMITS.bodyValuesMax) return;
  let values = 0;
  let isString = false;
  for (let at = 0; at < body.byteLength; at++) {
    const byte = body[at];
    if (byte === QUOTE) isString = !isString;
    else if (isString) at += byte === BACKSLASH ? 1 : 0;
    else if (byte === COMMA || byte === LIST || byte === OBJECT) values++;
  }
  if (values > REQUEST_LIMITS.bodyValuesMax)
    throw invalidAt("", "It holds too many values.", `A body may hold at most ${REQUEST_LIMITS.bodyValuesMax} values.`);
}

const [QUOTE, BACKSLASH, COMMA, LIST, OBJECT] = [0x22, 0x5c, 0x2c, 0x5b, 0x7b];

async function readBounded(body: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > REQUEST_LIMITS.bodyBytesMax) throw tooLarge();
    chunks.push(chunk);
  }
  const whole = new Uint8Array(bytes);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.byteLength;
  }
  return whole;
}

const tooLarge = (): Problem =>
  new Problem("body_too_large", `A request body may have at most ${REQUEST_LIMITS.bodyBytesMax} bytes.`);
