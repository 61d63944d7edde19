// Fetches a file of the drive. The part that has come lies beside the target, and the same command goes on from there.

import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { rename, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream as NodeStream } from "node:stream/web";
import type { Fjord } from "../../../typescript/src/client.ts";
import type { Context } from "../context.ts";
import { showProgress } from "../output/progress.ts";

type Copy = Readonly<{ path: string; file: string }>;

/** Answers the path of the file here. */
export async function download(context: Context, fjord: Fjord, { path, file }: Copy): Promise<string> {
  const { data: found } = await fjord.api.GET("/v3/drive/file", { params: { query: { path } } });
  const { bytes, etag } = found!;
  const part = partOf(file, etag);
  const fromByte = await stat(part).then(
    ({ size }) => size,
    () => 0,
  );
  if (fromByte < bytes || bytes === 0) {
    const response = await fjord.download(path, { signal: context.signal, fromByte });
    await write({ response, part, fromByte: response.status === 206 ? fromByte : 0, bytes, path });
  }
  await rename(part, file);
  return file;
}

type Writing = { response: Response; part: string; fromByte: number; bytes: number; path: string };

async function write({ response, part, fromByte, bytes, path }: Writing): Promise<void> {
  const progress = showProgress(path);
  let done = fromByte;
  async function* counted(chunks: AsyncIterable<Uint8Array>) {
    for await (const chunk of chunks) {
      progress.update((done += chunk.byteLength), bytes);
      yield chunk;
    }
  }
  const target = createWriteStream(part, { flags: fromByte > 0 ? "a" : "w" });
  await pipeline(Readable.fromWeb(response.body as unknown as NodeStream), counted, target).finally(progress.end);
}

/** A part of another version of the file has another name. */
function partOf(file: string, etag: string): string {
  const version = createHash("sha256").update(etag).digest("hex").slice(0, 8);
  return join(dirname(file), `.${basename(file)}.${version}.part`);
}
