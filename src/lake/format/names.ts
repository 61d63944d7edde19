// Names of schemas, tables and columns: what may be one, and the folder each gets. Pure.

import { createHash } from "node:crypto";
import { foldName } from "../../../kernel/text/fold-name.ts";

const NAME_CHARACTERS_MAX = 255;
/** DuckDB answers these schemas itself, so a table in one could never be reached. */
const SYSTEM_SCHEMAS = ["information_schema", "pg_catalog"];

/** An identifier in SQL, and in the catalog's texts. */
export const quoteIdentifier = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** Why this can be no name, or undefined. */
export function flawOfName(name: string): string | undefined {
  if (name.length === 0 || name.length > NAME_CHARACTERS_MAX)
    return `A name has 1 to ${NAME_CHARACTERS_MAX} characters.`;
  if (!name.isWellFormed() || /\p{Cc}/u.test(name)) return "A name has no control characters and no broken ones.";
  return undefined;
}

export const flawOfSchemaName = (name: string): string | undefined =>
  SYSTEM_SCHEMAS.includes(foldName(name)) ? `${name} is a schema of the system.` : flawOfName(name);

/**
 * The folder of a schema or table, ending in a slash. Plain names keep themselves, so that a bucket can be read by
 * people.
 * A name always gives the same folder, as uploads start before the table exists. Two odd names may share one:
 * files never share a name.
 */
export function folderOf(name: string): string {
  const folded = foldName(name);
  if (/^[a-z0-9_][a-z0-9_-]{0,99}$/.test(folded)) return `${folded}/`;
  let digest = 0;
  for (const character of folded) digest = (Math.imul(digest, 31) + character.codePointAt(0)!) | 0;
  return `-${folded.slice(0, 40).replace(/[^a-z0-9_]/g, "-")}-${(digest >>> 0).toString(16)}/`;
}

/** The prefix of everything a lake owns in the bucket; a catalog's paths are relative to it. */
export const lakePrefix = (teamId: string, lakeId: string): string => `${teamId}/lake/${lakeId}/`;

/** The whole address of a lake's root, as other engines name its files. */
export const lakeAddress = (bucketName: string, teamId: string, lakeId: string): string =>
  `s3://${bucketName}/${lakePrefix(teamId, lakeId)}`;

/** The folder, relative to the lake's root, of a table that is made under this name without a file. */
export const tableFolder = (schema: string, table: string): string => folderOf(schema) + folderOf(table);

/**
 * The folder that a job makes a table of this name in. No other job has the folder, so a table that takes the name of
 * one that was dropped does not lie among its files: who may read the one reads none of the other's.
 */
export function ownFolder(jobId: string, table: string): string {
  const digest = createHash("sha256")
    .update(JSON.stringify([jobId, foldName(table)]))
    .digest("hex");
  const parts = [digest.slice(0, 8), digest.slice(8, 12), digest.slice(12, 16), digest.slice(16, 20)];
  return `${[...parts, digest.slice(20, 32)].join("-")}/`;
}

/** Behind every path in the folder, and before the paths of the next one. */
export const behindFolder = (folder: string): string => `${folder}\u{10FFFF}`;

/** A fresh path for a job's next file of a table, below the table's folder. `unique` is never used twice. */
export const uploadPath = (jobId: string, folder: string, unique: string): string =>
  `${folder}${jobId}-${unique}.parquet`;

/**
 * The part of an uploaded file's path below its table's folder; undefined for a path {@link uploadPath} did not make
 * for this job.
 */
export function uploadedName(jobId: string, tablePath: string, path: string): string | undefined {
  if (!path.startsWith(tablePath)) return undefined;
  const name = path.slice(tablePath.length);
  return name.startsWith(`${jobId}-`) && /^[0-9a-zA-Z-]{1,100}\.parquet$/.test(name) ? name : undefined;
}
