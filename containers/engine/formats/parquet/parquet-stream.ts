// Record batches as a Parquet file: a page of each column for every batch, and a row group of as many as memory allows.
// The footer stands behind the last row, so that a file which broke off is none.

import type { Data, Schema } from "apache-arrow";
import { Failure } from "../../core/failure.ts";
import { closingOf, DATA_PAGE, dataPage, MAGIC, PLAIN, pageOf, RLE, ZSTD, type Page } from "../../parquet/pages.ts";
import { encodeStruct, type ThriftStruct } from "../../parquet/thrift-compact.ts";
import { Output } from "../output.ts";
import { putLevels } from "./levels.ts";
import { columnsOf, type LeafColumn } from "./schema.ts";
import { leavesOf, rowEntries, type Leaf } from "./leaves.ts";
import { putPlain } from "./plain-values.ts";

/** As large as DuckDB's own, which prunes by row groups and gives each a thread. */
const GROUP_ROWS_MAX = 122_880;
/** Bytes of a row group before they are compressed; compressed, they wait in memory for its end. */
const GROUP_BYTES_MAX = 32 * 1024 * 1024;

/** See {@link BatchStream}. */
export class ParquetStream {
  readonly #columns: readonly LeafColumn[];
  readonly #schema: Schema;
  readonly #elements: readonly ThriftStruct[];
  readonly #out = new Output();
  readonly #page = new Output();
  /** The pages of the current row group, by column. */
  readonly #pages: Page[][];
  readonly #values: number[];
  #groupRows = 0;
  #groupBytes = 0;
  #rows = 0;
  /** Bytes of the file up to what is pending in {@link #out}. */
  #taken = 0;
  readonly #groups: Buffer[] = [];

  /** Throws `sql_error` where there is no column. */
  constructor(schema: Schema) {
    if (schema.fields.length === 0)
      throw new Failure("sql_error", "A Parquet file has columns, and the result has none. Ask for another format.");
    this.#schema = schema;
    const { elements, columns } = columnsOf(schema);
    this.#elements = elements;
    this.#columns = columns;
    this.#pages = columns.map(() => []);
    this.#values = columns.map(() => 0);
  }

  write(children: readonly Data[], length: number): void {
    let at = 0;
    this.#schema.fields.forEach((field, i) => {
      for (const leaf of leavesOf(field, children[i]!, rowEntries(length))) this.#addPage(at++, leaf);
    });
    this.#groupRows += length;
    if (this.#groupRows >= GROUP_ROWS_MAX || this.#groupBytes >= GROUP_BYTES_MAX) this.#endGroup();
  }

  get pending(): number {
    return this.#out.length;
  }

  take(): Uint8Array {
    this.#taken += this.#out.length;
    return this.#out.take();
  }

  takeReused(): Uint8Array {
    this.#taken += this.#out.length;
    return this.#out.takeReused();
  }

  finish(): void {
    this.#endGroup();
    this.#begin();
    const footer = encodeStruct({
      1: 2,
      2: { list: this.#elements },
      3: BigInt(this.#rows),
      4: { list: this.#groups.map((encoded) => ({ encoded })) },
      6: "Fjord",
    });
    this.#out.copy(closingOf(footer));
  }

  #addPage(at: number, leaf: Leaf): void {
    const { definition, repetition, type } = this.#columns[at]!;
    const page = this.#page;
    page.length = 0;
    putLevels(page, leaf.repetition, repetition);
    putLevels(page, leaf.definition, definition);
    putPlain(page, type, leaf);
    const made = pageOf(DATA_PAGE, page.written, { 5: dataPage(leaf.count, PLAIN) });
    this.#pages[at]!.push(made);
    this.#values[at]! += leaf.count;
    this.#groupBytes += made.rawSize;
  }

  /** The first bytes go out with the first rows: until then a failure has a status of its own. */
  #begin(): void {
    if (this.#taken + this.#out.length === 0) this.#out.copy(MAGIC);
  }

  #endGroup(): void {
    if (this.#groupRows === 0) return;
    this.#begin();
    const chunks = this.#columns.map((column, i) => this.#endChunk(column, i));
    this.#groups.push(encodeStruct({ 1: { list: chunks }, 2: BigInt(this.#groupBytes), 3: BigInt(this.#groupRows) }));
    this.#rows += this.#groupRows;
    this.#groupRows = 0;
    this.#groupBytes = 0;
  }

  #endChunk({ physical, path }: LeafColumn, at: number): ThriftStruct {
    const start = BigInt(this.#taken + this.#out.length);
    const pages = this.#pages[at]!.splice(0);
    for (const { bytes } of pages) this.#out.copy(bytes);
    const metadata: ThriftStruct = {
      1: physical,
      2: { list: [PLAIN, RLE] },
      3: { list: path },
      4: ZSTD,
      5: BigInt(this.#values[at]!),
      6: BigInt(pages.reduce((sum, { rawSize }) => sum + rawSize, 0)),
      7: BigInt(pages.reduce((sum, { bytes }) => sum + bytes.length, 0)),
      9: start,
    };
    this.#values[at] = 0;
    return { 2: start, 3: metadata };
  }
}
