// What MySQL's and MariaDB's information_schema says of one table, as the engine will read it.

import { createHash } from "node:crypto";
import { Failure } from "../../../core/failure.ts";
import type { FetchRows, TextRow } from "../../row-collector.ts";
import {
  commentsOf,
  lakeNames,
  notesOfNames,
  numberColumns,
  type ReadAs,
  type SourceTable,
  type SourceTableName,
} from "../../../extract/source-table.ts";
import { planColumn, type MysqlColumn } from "./plan-column.ts";
import { quoteIdentifier, quoteLiteral } from "../sql-text.ts";

export type MysqlTable = SourceTable & {
  /** As `information_schema` spells it, by name. */
  declared: ReadonlyMap<string, MysqlColumn>;
  /** `InnoDB` …; null of a view. */
  engine: string | null;
  /** Whether the key is the primary one, and not another unique index of columns that are never NULL. */
  isPrimary: boolean;
};

/**
 * Rejects with `sql_error` where there is no such table, or none that the account may read. `readAs` is by the source's
 * column names.
 */
export async function describeTable(
  ask: FetchRows,
  table: SourceTableName,
  readAs: ReadonlyMap<string, ReadAs> = new Map(),
): Promise<MysqlTable> {
  const of = `table_schema = ${quoteLiteral(table.schema)} AND table_name = ${quoteLiteral(table.name)}`;
  const [found] = await ask(
    `SELECT table_type, engine, table_rows, data_length, table_comment FROM information_schema.tables WHERE ${of}`,
    "tTNNT",
  );
  if (!found)
    throw new Failure("sql_error", `There is no table ${table.schema}.${table.name}, or this account may not see it.`);
  const [type, engine = null, rows, bytes, comment = null] = found;
  const checks = await jsonChecks(ask, table);
  const told = (await ask(columnsQuery(of), "tttNNTTTTTT")).map((row) => readColumn(row, checks));
  const columns = told.filter(({ readable }) => readable);
  if (columns.length === 0)
    throw new Failure(
      "sql_error",
      `This account may read no column of ${table.schema}.${table.name}. Grant it SELECT.`,
    );
  const { isPrimary, key } = findKey(
    await ask(
      `SELECT index_name, column_name, nullable, sub_part FROM information_schema.statistics WHERE ${of} AND non_unique = 0 ORDER BY index_name, seq_in_index`,
      "tTTN",
    ),
  );

  const names = lakeNames(columns.map(({ name }) => name));
  const planned = columns.map((column, i) => planColumn(column, names[i]!, readAs.get(column.name)));
  const numbered = numberColumns(planned.map(({ lake }) => lake));
  const hidden = told.filter(({ readable }) => !readable).map(({ name }) => name);
  const isView = type?.includes("VIEW") ?? false;
  return {
    ...table,
    kind: isView ? "view" : "table",
    columns: planned.map((column, i) => ({ ...column, lake: numbered[i]! })),
    declared: new Map(columns.map((column) => [column.name, column])),
    isPrimary,
    primaryKey: key.some((name) => hidden.includes(name)) ? [] : key,
    fingerprint: createHash("sha256")
      .update(JSON.stringify([columns.map(({ identity }) => identity), key, Object.fromEntries(readAs)]))
      .digest("hex"),
    engine,
    // A view's says that it is one.
    comments: { table: isView ? null : comment, columns: commentsOf(columns) },
    rowsEstimate: rows === null || rows === undefined ? null : Number(rows),
    bytesEstimate: bytes === null || bytes === undefined ? null : Number(bytes),
    notes: [
      ...(hidden.length > 0 ? [`This account may not read ${hidden.join(", ")}: left out.`] : []),
      ...notesOfNames(
        columns.map(({ name }) => name),
        names,
      ),
      ...(isView || engine === null || /^(innodb|rocksdb)$/i.test(engine)
        ? []
        : [`It is kept by ${engine}, which knows no snapshots: rows written while it is read may be seen or not.`]),
    ],
  };
}

function findKey(indexed: TextRow[]): { isPrimary: boolean; key: string[] } {
  const indexes = [...Map.groupBy(indexed, ([index]) => index!)];
  const primary = indexes.find(([name]) => name === "PRIMARY");
  const found =
    primary ??
    indexes.find(([, columns]) =>
      columns.every(([, column, nullable, part]) => column !== null && nullable !== "YES" && part === null),
    );
  return { isPrimary: primary !== undefined, key: found?.[1].map(([, column]) => column!) ?? [] };
}

const columnsQuery = (of: string): string => `
  SELECT column_name, LOWER(data_type), column_type, numeric_precision, numeric_scale, is_nullable, privileges, column_comment, character_set_name, collation_name, generation_expression
  FROM information_schema.columns WHERE ${of} ORDER BY ordinal_position`;

type Told = MysqlColumn & { readable: boolean; identity: (string | null)[]; comment: string | null };

function readColumn(
  [name, dataType, columnType, precision, scale, nullable, privileges, comment = null, ...more]: TextRow,
  checks: string[],
): Told {
  const isJsonText = checks.includes(`json_valid(${quoteIdentifier(name!)})`);
  return {
    name: name!,
    dataType: dataType!,
    columnType: columnType!,
    precision: Number(precision),
    scale: Number(scale),
    nullable: nullable === "YES",
    isJsonText,
    readable: (privileges ?? "").split(",").includes("select"),
    comment,
    identity: [name!, columnType!, String(isJsonText), ...more],
  };
}

/** MySQL has a type of its own for JSON, and a table of checks without the tables' names. */
async function jsonChecks(ask: FetchRows, { schema, name }: SourceTableName): Promise<string[]> {
  const [[version = ""] = []] = await ask("SELECT VERSION()", "t");
  if (!/mariadb/i.test(version ?? "")) return [];
  const rows = await ask(
    `SELECT check_clause FROM information_schema.check_constraints WHERE constraint_schema = ${quoteLiteral(schema)} AND table_name = ${quoteLiteral(name)}`,
    "T",
  ).catch(() => []);
  return rows.map(([clause]) => clause ?? "");
}
