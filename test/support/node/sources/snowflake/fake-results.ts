// Results as the fake keeps them: the first rows in the answer itself, the others in chunks, as in a store.

import { gzipSync } from "node:zlib";
import type { FakeColumn } from "./fake-types.ts";

export type FakeChunk = { bytes: Buffer; rowCount: number; uncompressedSize: number };
export type FakeResult = {
  columns: FakeColumn[];
  inline: string;
  inlineRows: number;
  chunks: FakeChunk[];
  total: number;
};

export type Layout = { inlineRows: number; chunkRows: number };

/** `pieces` are rows as JSON. */
export async function layOut(
  columns: FakeColumn[],
  pieces: AsyncIterable<string[]>,
  { inlineRows, chunkRows }: Layout,
): Promise<FakeResult> {
  const result: FakeResult = { columns, inline: "", inlineRows: 0, chunks: [], total: 0 };
  let rows: string[] = [];
  const flush = () => {
    const text = rows.join(",");
    if (result.total === 0) [result.inline, result.inlineRows] = [text, rows.length];
    else result.chunks.push(chunkOf(text, rows.length));
    result.total += rows.length;
    rows = [];
  };
  for await (const piece of pieces)
    for (const row of piece) {
      rows.push(row);
      if (rows.length === (result.total === 0 ? inlineRows : chunkRows)) flush();
    }
  if (rows.length > 0) flush();
  return result;
}

function chunkOf(text: string, rowCount: number): FakeChunk {
  const unpacked = Buffer.from(text);
  return { bytes: gzipSync(unpacked, { level: 1 }), rowCount, uncompressedSize: unpacked.length };
}
