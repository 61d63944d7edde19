// Delete files: which rows of one data file are gone, as the Iceberg specification has them: two columns that are never
// NULL, under reserved field ids. DuckDB writes no column as required, so these few pages of Parquet are laid out here.

import { open } from "node:fs/promises";
import type { DuckDBConnection } from "@duckdb/node-api";
import duckdb from "@duckdb/node-bindings";
import type { NewDeleteFile } from "../../../kernel/lake/commit.ts";
import {
  BYTE_ARRAY,
  closingOf,
  DATA_PAGE,
  dataPage,
  DICTIONARY_PAGE,
  INT64,
  lengthOf,
  MAGIC,
  pageOf,
  PLAIN,
  REQUIRED,
  RLE_DICTIONARY,
  UTF8,
  ZSTD,
} from "./pages.ts";
import { encodeStruct, varint, type ThriftStruct } from "./thrift-compact.ts";

const FILE_PATH_ID = 2_147_483_546;
const POS_ID = 2_147_483_545;
/** Rows of a row group: compressed, they wait in memory for its end. */
const ROW_GROUP_ROWS = 1_000_000;
const PAGE_ROWS = 65_536;
const POSITION_BYTES = 8;

/**
 * `positions` is a SELECT of one column `position`, BIGINT without doubles, those deleted before among them. `address`
 * is the data file's whole one: readers compare it character by character.
 */
export async function writeDeleteFile(
  connection: DuckDBConnection,
  address: string,
  positions: string,
  file: string,
): Promise<Omit<NewDeleteFile, "path">> {
  const out = await open(file, "w");
  let bytes = 0;
  const write = async (...buffers: Buffer[]): Promise<void> => {
    const all = Buffer.concat(buffers);
    await out.writeFile(all);
    bytes += all.length;
  };
  try {
    await write(MAGIC);
    const groups: RowGroup[] = [];
    for await (const page of pagesOf(connection, positions)) {
      if ((groups.at(-1)?.rows ?? ROW_GROUP_ROWS) >= ROW_GROUP_ROWS) {
        await write(...(groups.at(-1)?.end(address, bytes) ?? []));
        groups.push(new RowGroup());
      }
      groups.at(-1)!.add(page);
    }
    await write(...(groups.at(-1)?.end(address, bytes) ?? []));
    const rows = groups.reduce((sum, group) => sum + group.rows, 0);
    if (rows === 0) throw new Error("a delete file came out empty");
    const footer = encodeStruct(footerOf(groups, rows));
    await write(closingOf(footer));
    return { bytes, footerBytes: footer.length, rows };
  } finally {
    await out.close();
  }
}

/**
 * The positions, ascending, as a plain page has them: each eight bytes, lowest first, which is DuckDB's own layout too.
 */
async function* pagesOf(connection: DuckDBConnection, positions: string): AsyncGenerator<Buffer> {
  const all = `SELECT CAST(position AS BIGINT) AS position FROM (${positions}) UNION ALL SELECT NULL`;
  const result = await connection.stream(`SELECT position FROM (${all}) ORDER BY position NULLS LAST`);
  let page: Buffer[] = [];
  let rows = 0;
  for (;;) {
    const chunk = await result.fetchChunk();
    // The binding does not report a result that breaks off, but its last row is missing then.
    if (!chunk || chunk.rowCount === 0) throw new Error("the positions of deleted rows broke off");
    const isLast = chunk.getColumnVector(0).getItem(chunk.rowCount - 1) === null;
    const count = chunk.rowCount - (isLast ? 1 : 0);
    const vector = duckdb.data_chunk_get_vector(chunk.chunk, 0);
    page.push(Buffer.from(duckdb.vector_get_data(vector, count * POSITION_BYTES)));
    rows += count;
    if (rows >= PAGE_ROWS || (isLast && rows > 0)) {
      yield Buffer.concat(page);
      [page, rows] = [[], 0];
    }
    if (isLast) return;
  }
}

/** A column's pages: how large, from where in the file, and between which values. `dictionary`: the first of them. */
type Chunk = {
  name: string;
  type: number;
  encodings: number[];
  size: number;
  rawSize: number;
  start: number;
  dictionary?: Buffer;
  min: Buffer;
  max: Buffer;
};

class RowGroup {
  rows = 0;
  readonly #pages: Buffer[] = [];
  #rawSize = 0;
  #ends: { min: Buffer; max: Buffer } | undefined;
  #chunks: Chunk[] = [];

  add(positions: Buffer): void {
    const rows = positions.length / POSITION_BYTES;
    const { bytes, rawSize } = pageOf(DATA_PAGE, positions, { 5: dataPage(rows, PLAIN) });
    this.#pages.push(bytes);
    this.rows += rows;
    this.#rawSize += rawSize;
    this.#ends = {
      min: this.#ends?.min ?? positions.subarray(0, POSITION_BYTES),
      max: positions.subarray(-POSITION_BYTES),
    };
  }

  /** The chunk's description in a file of which `at` bytes are written. */
  end(address: string, at: number): Buffer[] {
    const text = Buffer.from(address);
    const dictionary = pageOf(DICTIONARY_PAGE, Buffer.concat([lengthOf(text), text]), { 7: { 1: 1, 2: PLAIN } });
    // One run of the dictionary's first value, as numbers of one bit.
    const run = Buffer.concat([Buffer.of(1), varint(BigInt(this.rows) << 1n), Buffer.of(0)]);
    const paths = pageOf(DATA_PAGE, run, { 5: dataPage(this.rows, RLE_DICTIONARY) });
    const size = dictionary.bytes.length + paths.bytes.length;
    const path = { name: "file_path", type: BYTE_ARRAY, encodings: [PLAIN, RLE_DICTIONARY], min: text, max: text };
    const pos = { name: "pos", type: INT64, encodings: [PLAIN], ...this.#ends! };
    this.#chunks = [
      { ...path, size, rawSize: dictionary.rawSize + paths.rawSize, start: at, dictionary: dictionary.bytes },
      {
        ...pos,
        size: this.#pages.reduce((sum, page) => sum + page.length, 0),
        rawSize: this.#rawSize,
        start: at + size,
      },
    ];
    return [dictionary.bytes, paths.bytes, ...this.#pages.splice(0)];
  }

  get metadata(): ThriftStruct {
    const columns = this.#chunks.map((chunk) => ({ 2: BigInt(chunk.start), 3: metadataOf(chunk, this.rows) }));
    const rawSize = this.#chunks.reduce((sum, chunk) => sum + chunk.rawSize, 0);
    return { 1: { list: columns }, 2: BigInt(rawSize), 3: BigInt(this.rows) };
  }
}

function metadataOf(chunk: Chunk, rows: number): ThriftStruct {
  const { name, type, encodings, size, rawSize, start, dictionary, min, max } = chunk;
  return {
    1: type,
    2: { list: encodings },
    3: { list: [name] },
    4: ZSTD,
    5: BigInt(rows),
    6: BigInt(rawSize),
    7: BigInt(size),
    9: BigInt(start + (dictionary?.length ?? 0)),
    11: dictionary && BigInt(start),
    12: { 3: 0n, 5: max, 6: min },
  };
}

function footerOf(groups: readonly RowGroup[], rows: number): ThriftStruct {
  const schema: ThriftStruct[] = [
    { 4: "deletes", 5: 2 },
    { 1: BYTE_ARRAY, 3: REQUIRED, 4: "file_path", 6: UTF8, 9: FILE_PATH_ID },
    { 1: INT64, 3: REQUIRED, 4: "pos", 9: POS_ID },
  ];
  // Bounds are in the order of the type, without which readers leave them aside.
  const ordered: ThriftStruct = { 1: {} };
  return {
    1: 1,
    2: { list: schema },
    3: BigInt(rows),
    4: { list: groups.map(({ metadata }) => metadata) },
    6: "Fjord",
    7: { list: [ordered, ordered] },
  };
}
