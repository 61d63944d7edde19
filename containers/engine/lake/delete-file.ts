// Delete files: which rows of one data file are gone.

import type { DuckDBConnection } from "@duckdb/node-api";
import type { LakeColumn, NewDeleteFile } from "../lake-protocol.ts";
import { literal } from "./lake-types.ts";
import { writeParquet } from "./parquet-writer.ts";

/** The field ids that the Iceberg specification reserves for these columns; DuckLake's own writer uses them too. */
const COLUMNS: LakeColumn[] = [
  { id: 2_147_483_546, name: "file_path", type: "varchar", nullable: false, children: [] },
  { id: 2_147_483_545, name: "pos", type: "int64", nullable: false, children: [] },
];

/** `positions` is a SELECT of one column `position` without doubles, those deleted before among them. `path` is the data file's in the lake. */
export async function writeDeleteFile(connection: DuckDBConnection, path: string, positions: string, file: string): Promise<Omit<NewDeleteFile, "path">> {
  const written = await writeParquet(connection, `SELECT ${literal(path)} AS file_path, position AS pos FROM (${positions}) ORDER BY position`, COLUMNS, file);
  if (!written) throw new Error("a delete file came out empty");
  const { statistics: _, ...deleteFile } = written;
  return deleteFile;
}
