// Fetches a file of the drive. The part that has come lies beside the target, and the same command goes on from there.

import { createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream as NodeStream } from "node:stream/web";
import type { Fjord } from "../../../typescript/src/client.ts";
import type { Context } from "../context.ts";
import { showProgress } from "../output/progress.ts";
import { hasReader, writeData } from "../output/terminal.ts";
import { sizeOf, takePart } from "./part.ts";

type Copy = Readonly<{ path: string; file: string }>;

/** Answers the path of the file here, which has the drive's file as a whole or is not touched. */
export async function download(context: Context, fjord: Fjord, { path, file }: Copy): Promise<string> {
  const { bytes, etag } = await look(fjord, path);
  const part = await takePart(file, etag, bytes);
  if (part.bytes < bytes || bytes === 0) {
    const response = await fjord.download(path, { signal: context.signal, fromByte: part.bytes });
    checkVersion(response, { path, etag });
    await write({ response, part: part.file, fromByte: response.status === 206 ? part.bytes : 0, bytes, path });
  }
  const arrived = await sizeOf(part.file);
  if (arrived > bytes) await rm(part.file, { force: true });
  if (arrived !== bytes) throw new Error(`${path} has ${bytes} bytes, and ${arrived} came: copy it again.`);
  await rename(part.file, file);
  return file;
}

/** Prints the file. What has been printed cannot be taken back, so a file that broke off is a failure. */
export async function printFile(context: Context, fjord: Fjord, path: string): Promise<void> {
  const { bytes, etag } = await look(fjord, path);
  const response = await fjord.download(path, { signal: context.signal });
  checkVersion(response, { path, etag });
  let arrived = 0;
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    await writeData(chunk);
    if (!hasReader()) return;
    arrived += chunk.byteLength;
  }
  if (arrived !== bytes) throw new Error(`${path} has ${bytes} bytes, and ${arrived} came.`);
}

async function look(fjord: Fjord, path: string) {
  return (await fjord.api.GET("/v3/drive/file", { params: { query: { path } } })).data!;
}

const bare = (etag: string): string => etag.replace(/^W\//, "").replaceAll('"', "");

/** A file that was replaced between two requests is no continuation of what has come. */
function checkVersion({ headers }: Response, { path, etag }: { path: string; etag: string }): void {
  const served = headers.get("etag");
  if (served !== null && bare(served) !== bare(etag))
    throw new Error(`${path} was replaced while it was copied: copy it again.`);
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
