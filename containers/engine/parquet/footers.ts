// A lake file's footer names the file's columns, for a table's may have been others when it was written, and their
// chunks.

import type { DuckDBConnection } from "@duckdb/node-api";
import { EVERY_FIELD, type ColumnChunk } from "./column-chunks.ts";
import { quoteLiteral } from "../duckdb/quoting.ts";
import { LruMap } from "../../../kernel/text/lru-map.ts";

/** A column of a file. `type` is DuckDB's, `null` where there are children. */
export type FileField = { id: number | null; name: string; type: string | null; children: FileField[] };

type Row = {
  file_name: string;
  name: string;
  field_id: string | null;
  duckdb_type: string | null;
  num_children: string | null;
};

/**
 * `shapes`: the columns of each file. `chunks`: the column chunks of each file asked for; an empty list where not all
 * are known.
 */
export type Footers = { shapes: FileField[][]; chunks: ColumnChunk[][] };

/** The columns of each of `paths` and the chunks of each of `chunked`, which are among them. */
export async function readFooters(
  connection: DuckDBConnection,
  paths: readonly string[],
  chunked: readonly string[],
): Promise<Footers> {
  const shapes = await readShapes(connection, paths);
  const shapeOf = new Map(paths.map((path, i) => [path, shapes[i]!]));
  const leaves = chunked.map((path) =>
    shapeOf.get(path)!.flatMap((field, index) => Array<number>(leafCount(field)).fill(index)),
  );
  return { shapes, chunks: chunked.length === 0 ? [] : await readChunks(connection, chunked, leaves) };
}

/** The columns of each file, in the order of `paths`. */
async function readShapes(connection: DuckDBConnection, paths: readonly string[]): Promise<FileField[][]> {
  const reader = await connection.runAndReadAll(
    `SELECT file_name, name, field_id, duckdb_type, num_children
    FROM parquet_schema([${paths.map(quoteLiteral).join(", ")}])`,
  );
  const rows = Map.groupBy(reader.getRowObjectsJson() as Row[], ({ file_name }) => file_name);
  return paths.map((path) => fieldAt(rows.get(path) ?? [], { next: 0 })?.children ?? []);
}

/** Reads one node and those below it from rows in depth-first order. */
function fieldAt(rows: Row[], at: { next: number }): FileField | undefined {
  const row = rows[at.next++];
  if (!row) return undefined;
  const children: FileField[] = [];
  for (let i = 0; i < Number(row.num_children ?? 0); i++) {
    const child = fieldAt(rows, at);
    // Parquet wraps the elements of lists and maps in a group that is no column.
    if (child) children.push(...(child.id === null && child.children.length > 0 ? child.children : [child]));
  }
  return { id: row.field_id === null ? null : Number(row.field_id), name: row.name, type: row.duckdb_type, children };
}

/** How many Parquet columns a field is. */
export const leafCount = ({ children }: FileField): number =>
  children.length === 0 ? 1 : children.reduce((sum, child) => sum + leafCount(child), 0);

type ChunkRow = [
  file: string,
  rowGroup: number,
  rows: number,
  leaf: number,
  start: number,
  bytes: number,
  bloomStart: number | null,
  bloomBytes: number | null,
];

/** `leaves`: for each file, the index of the field that each of its Parquet columns belongs to. */
async function readChunks(
  connection: DuckDBConnection,
  paths: readonly string[],
  leaves: readonly number[][],
): Promise<ColumnChunk[][]> {
  const start =
    "CASE WHEN dictionary_page_offset > 0 AND dictionary_page_offset < data_page_offset " +
    "THEN dictionary_page_offset ELSE data_page_offset END";
  const numbers = [
    "row_group_id",
    "row_group_num_rows",
    "column_id",
    start,
    "total_compressed_size",
    "bloom_filter_offset",
    "bloom_filter_length",
  ].map((number) => `CAST(${number} AS DOUBLE)`);
  const reader = await connection.runAndReadAll(
    `SELECT file_name, ${numbers.join(", ")} FROM parquet_metadata([${paths.map(quoteLiteral).join(", ")}])`,
  );
  const chunks = new Map<string, ColumnChunk[]>(paths.map((path) => [path, []]));
  const fields = new Map(paths.map((path, i) => [path, leaves[i]!]));
  const rowsBefore = new Map<string, number[]>(paths.map((path) => [path, [0]]));
  for (const [file, rowGroup, rows, leaf, at, bytes, bloomAt, bloomBytes] of reader.getRows() as ChunkRow[]) {
    const field = fields.get(file)?.[leaf] ?? EVERY_FIELD;
    const known = chunks.get(file)!;
    const before = rowsBefore.get(file)!;
    // Row groups come in their order.
    before[rowGroup + 1] = before[rowGroup]! + rows;
    const common = { rowGroup, firstRow: before[rowGroup]!, field };
    known.push({ ...common, start: at, end: at + bytes });
    // An old writer's filter, whose length is not given, leaves the file without a layout.
    if (bloomAt !== null) known.push({ ...common, start: bloomAt, end: bloomAt + (bloomBytes ?? 0), isBloom: true });
  }
  return paths.map((path) => chunks.get(path)!);
}

const FILES_MAX = 50_000;
const DISTINCT_MAX = 1_000;

/** Shapes by file, remembered: a file never changes. Files of equal shape share one object. */
export class FileShapes {
  readonly #byPath = new LruMap<FileField[]>(FILES_MAX);
  readonly #distinct = new LruMap<FileField[]>(DISTINCT_MAX);

  /** The shape of every path; `read` is asked for the unknown ones. */
  async of(
    paths: readonly string[],
    read: (paths: string[]) => Promise<FileField[][]>,
  ): Promise<Map<string, FileField[]>> {
    const found = new Map(paths.map((path) => [path, this.#byPath.get(path)]));
    const missing = paths.filter((path) => !found.get(path));
    if (missing.length > 0) {
      const shapes = await read(missing);
      missing.forEach((path, i) => {
        const shape = this.#shared(shapes[i]!);
        this.#byPath.set(path, shape);
        found.set(path, shape);
      });
    }
    return new Map(paths.map((path) => [path, found.get(path)!]));
  }

  #shared(shape: FileField[]): FileField[] {
    const key = JSON.stringify(shape);
    const known = this.#distinct.get(key);
    if (!known) this.#distinct.set(key, shape);
    return known ?? shape;
  }
}
