// A stand-in of the bucket answers a GET by this: with the object, or the range of it that is asked for, as S3 does.

import { createReadStream, statSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";

/** Settles when it is sent, or when whoever asked has gone. `count` gets how many bytes that takes. */
export async function sendObject(
  file: string,
  request: IncomingMessage,
  response: ServerResponse,
  count?: (bytes: number) => void,
): Promise<void> {
  const size = statSync(file, { throwIfNoEntry: false })?.size;
  if (size === undefined) return void response.writeHead(404).end();
  const range = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? "");
  const [start, end] = [Number(range?.[1] ?? 0), range?.[2] ? Number(range[2]) : size - 1];
  count?.(end - start + 1);
  response.writeHead(range ? 206 : 200, {
    "content-length": end - start + 1,
    ...(range && { "content-range": `bytes ${start}-${end}/${size}` }),
  });
  await pipeline(createReadStream(file, { start, end }), response).catch(() => undefined);
}
