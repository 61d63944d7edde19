// A table is opened for a client: whoever may not read all of it, or has no way to its files, is refused.

import { Problem } from "../../core/problem.ts";
import { valueOf } from "../../core/answer.ts";
import type { LakeTableName } from "../../../kernel/lake/lake.ts";
import { quoteIdentifier } from "../../lake/format/names.ts";
import type { OpenedTable } from "../../lake/iceberg/open-table.ts";
import type { Warehouse } from "./warehouse.ts";

/** Rights are judged as of now, whatever the client was told before. */
export const openTable = async ({ lake, reader }: Warehouse, table: LakeTableName): Promise<OpenedTable> =>
  valueOf(await lake.openIcebergTable(table, reader));

/** Credentials open a folder: in a folder of several tables they would open more than the one that was asked for. */
export function requireOwnFolder({ sharesFolder, schema, name }: OpenedTable): void {
  if (!sharesFolder) return;
  const [table, copy] = [name, `${name}_moved`].map((each) => `${quoteIdentifier(schema)}.${quoteIdentifier(each)}`);
  throw new Problem(
    "resource_conflict",
    `${schema}.${name} shares its folder with another table, or with one that was dropped, so no credential can open ` +
      "it alone. A copy has a folder of its own. By POST /v1/query, one after the other: " +
      `CREATE TABLE ${copy} AS FROM ${table}; DROP TABLE ${table}; ALTER TABLE ${copy} RENAME TO ` +
      `${quoteIdentifier(name)}. A table that a sync or a doc owns is moved by dropping it, once its owner is deleted, ` +
      "and making it again.",
  );
}
