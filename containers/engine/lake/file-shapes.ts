// What columns a lake file really has, read from its footer: a table's columns may have been others when it was written.

import type { DuckDBConnection } from "@duckdb/node-api";
import { literal } from "./lake-types.ts";
import { Recent } from "./recent.ts";

/** A column of a file. `type` is DuckDB's, `null` where there are children. */
export type FileField = { id: number | null; name: string; type: string | null; children: FileField[] };

type Row = { file_name: string; name: string; field_id: string | null; duckdb_type: string | null; num_children: string | null };

/** The columns of each file, in the order of `paths`. */
export async function readShapes(connection: DuckDBConnection, paths: readonly string[]): Promise<FileField[][]> {
  const reader = await connection.runAndReadAll(`SELECT file_name, name, field_id, duckdb_type, num_children FROM parquet_schema([${paths.map(literal).join(", ")}])`);
  const rows = new Map<string, Row[]>();
  for (const row of reader.getRowObjectsJson() as Row[]) {
    const known = rows.get(row.file_name);
    if (known) known.push(row);
    else rows.set(row.file_name, [row]);
  }
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

const FILES_MAX = 50_000;
const DISTINCT_MAX = 1_000;

/** Shapes by file, remembered: a file never changes. Files of equal shape share one object. */
export class FileShapes {
  private readonly byPath = new Recent<FileField[]>(FILES_MAX);
  private readonly distinct = new Recent<FileField[]>(DISTINCT_MAX);

  /** The shape of every path; `read` is asked for the unknown ones. */
  async of(paths: readonly string[], read: (paths: string[]) => Promise<FileField[][]>): Promise<Map<string, FileField[]>> {
    const found = new Map(paths.map((path) => [path, this.byPath.get(path)]));
    const missing = paths.filter((path) => !found.get(path));
    if (missing.length > 0) {
      const shapes = await read(missing);
      missing.forEach((path, i) => {
        const shape = this.shared(shapes[i]!);
        this.byPath.set(path, shape);
        found.set(path, shape);
      });
    }
    return new Map(paths.map((path) => [path, found.get(path)!]));
  }

  private shared(shape: FileField[]): FileField[] {
    const key = JSON.stringify(shape);
    const known = this.distinct.get(key);
    if (!known) this.distinct.set(key, shape);
    return known ?? shape;
  }
}
