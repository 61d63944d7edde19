// Rows of a number and a text, `row 1` and on: millions of them, as fast as they can be written.

import type { FakeColumn } from "./tds/column-types.ts";
import type { FakeValue } from "./tds/values.ts";
import type { PreparedAnswer, ServerState } from "./server-state.ts";
import type { RowBatch } from "./tsql/tsql-session.ts";

const PAGE_ROWS = 1_000;
const ROW_BYTES_MAX = 64;

const COLUMNS: FakeColumn[] = [
  { name: "i", type: "bigint" },
  { name: "t", type: "nvarchar(20)" },
];

const SERIES = /FROM GENERATE_SERIES\(1, (\d+)\)/;

/** A statement of so many of them, in T-SQL. */
export const numberedRows = (rows: number): string =>
  `SELECT CAST(value AS bigint) AS i, CONCAT('row ', value) AS t FROM GENERATE_SERIES(1, ${rows})`;

/** What answers {@link numberedRows}: encoded at once where nothing is to go wrong in the middle. */
export const numberedAnswer = (server: ServerState): PreparedAnswer => ({
  when: SERIES,
  columns: COLUMNS,
  batches: (sql) => pages(Number(SERIES.exec(sql)![1]), server.answerFault === undefined),
});

function* pages(rows: number, isEncoded: boolean): Generator<RowBatch> {
  for (let from = 1; from <= rows; from += PAGE_ROWS) {
    const to = Math.min(rows, from + PAGE_ROWS - 1);
    yield isEncoded ? { page: encode(from, to), rows: to - from + 1 } : values(from, to);
  }
}

const values = (from: number, to: number): FakeValue[][] =>
  Array.from({ length: to - from + 1 }, (_, i) => [from + i, `row ${from + i}`]);

function encode(from: number, to: number): Buffer {
  const page = Buffer.allocUnsafe((to - from + 1) * ROW_BYTES_MAX);
  let at = 0;
  for (let i = from; i <= to; i++) {
    const text = `row ${i}`;
    page[at++] = 0xd1;
    page[at++] = 8;
    at = page.writeUInt32LE(i >>> 0, at);
    at = page.writeUInt32LE(Math.floor(i / 0x1_0000_0000), at);
    at = page.writeUInt16LE(text.length * 2, at);
    at += page.write(text, at, "utf16le");
  }
  return page.subarray(0, at);
}
