// Results as the fake keeps them: the first rows in the answer itself, the others in chunks, as in a store. The chunks
// of a very large result are made when they are asked for.

import { gzipSync } from "node:zlib";
import type { KeptRows } from "./fake-database.ts";
import type { FakeColumn } from "./fake-types.ts";

export type FakeChunk = { rowCount: number; bytes: Buffer; uncompressedSize: number };
/** One whose size nobody knows yet. */
export type LazyChunk = { rowCount: number; make(): Promise<Buffer> };
export type FakeResult = {
  columns: FakeColumn[];
  inline: string;
  inlineRows: number;
  chunks: (FakeChunk | LazyChunk)[];
  total: number;
};

export type Layout = { inlineRows: number; chunkRows: number };

/** Lays out a result of which no more than the first rows are read now. */
export async function layOutLazily(kept: KeptRows, { inlineRows, chunkRows }: Layout): Promise<FakeResult> {
  const { columns, total, read } = kept;
  const chunks: LazyChunk[] = [];
  for (let from = inlineRows; from < total; from += chunkRows) {
    const to = Math.min(from + chunkRows, total);
    chunks.push({ rowCount: to - from, make: async () => Buffer.from((await read(from, to)).join(",")) });
  }
  return { columns, inline: (await read(0, inlineRows)).join(","), inlineRows, chunks, total };
}

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
