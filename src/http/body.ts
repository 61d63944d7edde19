// Request bodies are bounded before anybody reads them, whether or not they say how long they are.

import { createMiddleware } from "hono/factory";
import { LIMITS } from "../core/limits.ts";
import { Problem } from "../core/problem.ts";
import type { AppEnv } from "./app-env.ts";

/** A body of unknown length is read up to the bound and no further; a stated length is refused unread. */
export const limitBody = createMiddleware<AppEnv>(async (c, next) => {
  const { raw } = c.req;
  const stated = raw.headers.get("content-length");
  if (stated !== null ? Number(stated) > LIMITS.bodyBytesMax : false) throw tooLarge();
  if (stated === null && raw.body) c.req.raw = new Request(raw, { body: await readBounded(raw.body) });
  await next();
});

async function readBounded(body: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > LIMITS.bodyBytesMax) throw tooLarge();
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

const tooLarge = (): Problem => new Problem("body_too_large", `A request body may have at most ${LIMITS.bodyBytesMax} bytes.`);
