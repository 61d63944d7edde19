// A statement's tables as DuckDB relations: names resolved against what the caller may read, files made into views.

import { Failure } from "../../core/failure.ts";
import type { LakeColumn, LakeDescription, LakeTable, LakeTableName, TablePlan } from "../../../../kernel/lake/lake.ts";
import type { FileField } from "../../parquet/footers.ts";
import { duckdbType } from "../../parquet/lake-types.ts";
import { CATALOG, DEFAULT_SCHEMA, CATALOG_NAME } from "./catalogs.ts";
import { sameName } from "../../duckdb/names.ts";
import { quoteIdentifier, quoteLiteral } from "../../duckdb/quoting.ts";
import { didYouMean } from "./hints/near-names.ts";
import type { TableRef } from "./analysis.ts";
import { withoutCatalogs } from "./catalogs.ts";
import { BENEATH_SCHEMA, FENCED_SETUP, relationOf, type RestrictedRelation } from "./restricted-table.ts";

/** Files in the cache: where each is, by id, and its columns, by path. */
export type LocalFiles = { paths: Map<number, string>; shapes: Map<string, FileField[]> };

/** A table's files as a statement reads them. */
export type OpenPlan = {
  tableId: number;
  /** `before`: only rows whose position in the file is below it exist for the statement. */
  files: Array<TablePlan["files"][number] & { before?: number }>;
  /** The number of rows, where the files don't give it: none of their columns can be read then. */
  rows?: number;
};

/** The tables that `names` mean, each once. Throws `sql_error` where one does not exist for this caller. */
export function resolveTables(names: readonly TableRef[], description: LakeDescription): LakeTable[] {
  const found = new Set<LakeTable>();
  for (const written of names) {
    const candidates = description.tables.filter((table) => isNamed(table, written));
    const [table] = candidates;
    if (!table) throw unknownTable(written, description);
    candidates.forEach((candidate) => found.add(candidate));
  }
  return [...found];
}

/**
 * `LAKE.t` is table t of the schema main, unless there is a schema named lake; DuckDB itself refuses what is ambiguous.
 */
export function isNamed(
  table: LakeTableName,
  { catalog, schema, name }: Pick<TableRef, "catalog" | "schema" | "name">,
): boolean {
  if (!sameName(table.name, name)) return false;
  if (catalog !== "") return sameName(catalog, CATALOG) && sameName(table.schema, schema);
  if (schema === "") return sameName(table.schema, DEFAULT_SCHEMA);
  return sameName(table.schema, schema) || (sameName(schema, CATALOG) && sameName(table.schema, DEFAULT_SCHEMA));
}

function unknownTable({ catalog, schema, name, position }: TableRef, description: LakeDescription): Failure {
  const written = withoutCatalogs([catalog, schema, name].filter((part) => part !== "").join("."));
  const meant = didYouMean(
    { schema: schema === "" || (catalog === "" && sameName(schema, CATALOG)) ? DEFAULT_SCHEMA : schema, name },
    description,
  );
  return new Failure("sql_error", `The table ${written} does not exist in the lake, or you may not read it.${meant}`, {
    position,
  });
}

/**
 * How tables become relations: in a catalog of their own, and with every row's position beside it, where `rowPositions`
 * says so.
 */
export type RelationOptions = { catalog?: string; rowPositions?: boolean };

/** A row's position: the path of its file, and its number within. No names a user's column might have by chance. */
export const ROW_POSITION = { file: '"fjord file"', position: '"fjord position"' };

/** Names given to DuckDB's virtual columns, by their own names: see {@link VIRTUAL}. */
export type BesideColumns = Readonly<Partial<Record<(typeof VIRTUAL)[number], string>>>;

/** {@link ROW_POSITION} beside a file's columns. */
export const ROW_POSITIONS: BesideColumns = { filename: ROW_POSITION.file, file_row_number: ROW_POSITION.position };

/** The tables of a statement: each has its plan, and `files` are those of all plans. */
export type Relations = {
  description: LakeDescription;
  tables: readonly LakeTable[];
  plans: readonly OpenPlan[];
  files: LocalFiles;
  readsMetadata: boolean;
};

/**
 * Creates the schemas, the views over local files and, for statements that read metadata, empty tables for the rest.
 */
export function relationsSql(
  { description, tables, plans, files, readsMetadata }: Relations,
  { catalog = CATALOG_NAME, rowPositions = false }: RelationOptions = {},
): string[] {
  const options = { catalog, rowPositions };
  const relations = tables.map(relationOf);
  const others = readsMetadata ? description.tables.filter((table) => !tables.includes(table)).map(relationOf) : [];
  const schemas = [
    ...(readsMetadata ? description.schemas : []),
    ...[...relations, ...others].map(({ schema }) => schema),
  ];
  return [
    ...schemasSql(schemas, catalog),
    ...relations.map((relation, i) => relationSql(relation, plans[i]!, files, options)),
    ...others.map((relation) => emptyTable(relation, relation.columns, options)),
    ...(relations.some(({ isFenced }) => isFenced) ? [FENCED_SETUP] : []),
  ];
}

const schemasSql = (schemas: readonly string[], catalog: string): string[] => [
  ...(catalog === CATALOG_NAME ? [] : [`ATTACH IF NOT EXISTS ':memory:' AS ${quoteIdentifier(catalog)}`]),
  ...[...new Set(schemas)]
    .filter((schema) => !sameName(schema, DEFAULT_SCHEMA))
    .map((schema) => `CREATE SCHEMA IF NOT EXISTS ${quoteIdentifier(catalog)}.${quoteIdentifier(schema)}`),
];

/**
 * SQL that makes the tables as relations without rows. Beneath a restricted table's view is a table of what is read of
 * its files: {@link scannedName}.
 */
export function emptyRelationsSql(
  tables: readonly LakeTable[],
  { catalog = CATALOG_NAME, rowPositions = false }: RelationOptions,
): string[] {
  const relations = tables.map(relationOf);
  const restricted = relations.filter(({ isWhole }) => !isWhole);
  const schemas = [...restricted, ...relations.map(scannedName)].map(({ schema }) => schema);
  return [
    ...schemasSql(schemas, catalog),
    ...relations.map((relation) => emptyTable(scannedName(relation), relation.beneath, { catalog, rowPositions })),
    ...restricted.map((relation) => viewSql(relation, nameOf(scannedName(relation), catalog), catalog)),
  ];
}

/** The name by which a scan's table is known in a plan. */
export const scannedName = ({ tableId, schema, name, isWhole }: RestrictedRelation): LakeTableName =>
  isWhole ? { schema, name } : { schema: BENEATH_SCHEMA, name: String(tableId) };

const nameOf = ({ schema, name }: LakeTableName, catalog: string): string =>
  [catalog, schema, name].map(quoteIdentifier).join(".");

function emptyTable(
  name: LakeTableName,
  columns: readonly LakeColumn[],
  { catalog, rowPositions }: Required<RelationOptions>,
): string {
  const declared = columns.map(
    (column) => `${quoteIdentifier(column.name)} ${duckdbType(column)}${column.nullable ? "" : " NOT NULL"}`,
  );
  const positions = rowPositions ? [`${ROW_POSITION.file} VARCHAR`, `${ROW_POSITION.position} BIGINT`] : [];
  const all = [...declared, ...positions];
  return `CREATE TABLE ${nameOf(name, catalog)} (${all.length > 0 ? all.join(", ") : `${NO_COLUMN} BOOLEAN`})`;
}

/** The column of a relation that is read for its rows alone. */
const NO_COLUMN = quoteIdentifier("fjord row");

/** The view of the rows and cells that the table's caller sees, over `from`. */
const viewSql = (relation: RestrictedRelation, from: string, catalog: string): string =>
  `CREATE VIEW ${nameOf(relation, catalog)} AS ${relation.sql(from)}`;

/**
 * Rows come in the order of the plan's files. A delete file holds positions of the one data file it was planned with,
 * whatever path it names within.
 */
function relationSql(
  relation: RestrictedRelation,
  plan: OpenPlan,
  files: LocalFiles,
  options: Required<RelationOptions>,
): string {
  if (relation.isEmpty) return emptyTable(relation, relation.columns, options);
  if (plan.rows !== undefined) return countedRows(relation, plan.rows, options);
  const beside = options.rowPositions ? ROW_POSITIONS : {};
  const columns = relation.beneath;
  const branches: string[] = [];
  let alike: { shape: FileField[]; paths: string[] } | undefined;
  const flush = (): void => {
    if (alike) branches.push(scanSql(columns, alike.shape, alike.paths, beside));
    alike = undefined;
  };
  for (const { id, deletes, before } of plan.files) {
    const path = files.paths.get(id)!;
    const shape = files.shapes.get(path)!;
    const kept = [
      ...(deletes
        ? [`file_row_number NOT IN (SELECT pos FROM read_parquet(${quoteLiteral(files.paths.get(deletes.id)!)}))`]
        : []),
      ...(before === undefined ? [] : [`file_row_number < ${before}`]),
    ];
    if (kept.length > 0 || alike?.shape !== shape) flush();
    if (kept.length > 0) branches.push(`${scanSql(columns, shape, [path], beside)} WHERE ${kept.join(" AND ")}`);
    else (alike ??= { shape, paths: [] }).paths.push(path);
  }
  flush();
  const rows = branches.join(" UNION ALL ");
  if (rows === "") return emptyTable(relation, relation.columns, options);
  return viewSql(relation, `(${rows})`, options.catalog);
}

/** The error of DuckDB's where a column of rows that were only counted is read. */
export const NOT_FETCHED = "this column was not fetched";

/** A plan counts the rows of files. Behind a fence these are not the rows that the caller sees. */
function countedRows(relation: RestrictedRelation, rows: number, { catalog }: Required<RelationOptions>): string {
  if (relation.isFenced) throw new Error("Rows behind a fence can't be counted by a plan.");
  const cells = relation.columns.map(
    (column) => `CAST(error(${quoteLiteral(NOT_FETCHED)}) AS ${duckdbType(column)}) AS ${quoteIdentifier(column.name)}`,
  );
  return `CREATE VIEW ${nameOf(relation, catalog)} AS SELECT ${cells.join(", ")} FROM range(${rows})`;
}

/**
 * Files of one shape as the table is now: renamed, added and widened columns are put right in the SELECT.
 * read_parquet's own `schema` does that for outer columns, but DuckDB then plans without the files' statistics, and
 * joins several times slower.
 */
export function scanSql(
  columns: readonly LakeColumn[],
  shape: readonly FileField[],
  paths: readonly string[],
  beside: BesideColumns = {},
): string {
  const { fields, alias } = besideVirtual(shape);
  const cells = columns.map((column) => `${valueOf(column, fields, "", 0)} AS ${quoteIdentifier(column.name)}`);
  for (const [virtual, name] of Object.entries(beside)) cells.push(`${virtual} AS ${name}`);
  if (cells.length === 0) cells.push(`true AS ${NO_COLUMN}`);
  return `SELECT ${cells.join(", ")} FROM read_parquet([${paths.map(quoteLiteral).join(", ")}])${alias}`;
}

/**
 * The columns that DuckDB adds to the rows of a file, unless the file has columns of these names: its path, a row's
 * number within, and the file's own among those that are read, both from 0.
 */
const VIRTUAL = ["filename", "file_row_number", "file_index"] as const;

/** A file's fields, and the names that FROM gives them where their own names would hide virtual columns. */
function besideVirtual(shape: readonly FileField[]): { fields: readonly FileField[]; alias: string } {
  if (!shape.some(({ name }) => VIRTUAL.some((virtual) => sameName(name, virtual))))
    return { fields: shape, alias: "" };
  const fields = shape.map((field, i) => ({ ...field, name: `field ${i}` }));
  return { fields, alias: ` AS f(${fields.map(({ name }) => quoteIdentifier(name)).join(", ")})` };
}

/** The value of `column` from its field among `fields`, which are found behind `prefix`; matched by field id. */
function valueOf(column: LakeColumn, fields: readonly FileField[], prefix: string, depth: number): string {
  const field = fields.find(({ id }) => id === column.id);
  if (!field) return `CAST(NULL AS ${duckdbType(column)})`;
  return converted(
    column,
    field,
    prefix === "" ? quoteIdentifier(field.name) : `struct_extract(${prefix}, ${quoteLiteral(field.name)})`,
    depth,
  );
}

/** `ref`, which has the file's type, converted to the table's. */
function converted(column: LakeColumn, field: FileField, ref: string, depth: number): string {
  if (isAlike(column, field)) return ref;
  const { type, children } = column;
  const item = `i${depth}`;
  const inner = (i: number, at: string): string => converted(children[i]!, field.children[i]!, at, depth + 1);
  if (type === "struct") {
    const members = children.map(
      (child) => `${quoteIdentifier(child.name)} := ${valueOf(child, field.children, ref, depth + 1)}`,
    );
    return `CASE WHEN ${ref} IS NOT NULL THEN struct_pack(${members.join(", ")}) END`;
  }
  if (type === "list" && field.children.length === 1)
    return `list_transform(${ref}, lambda ${item}: ${inner(0, item)})`;
  if (type === "map" && field.children.length === 2) {
    const [key, value] = [inner(0, `struct_extract(${item}, 'key')`), inner(1, `struct_extract(${item}, 'value')`)];
    return `map_from_entries(list_transform(map_entries(${ref}), lambda ${item}: {key: ${key}, value: ${value}}))`;
  }
  return `CAST(${ref} AS ${duckdbType(column)})`;
}

/** Whether a file's column has the table's type, down to the names and ids of inner fields. */
export function isAlike(column: LakeColumn, field: FileField): boolean {
  if (column.children.length !== field.children.length) return false;
  if (column.children.length === 0) return field.type?.replaceAll(" ", "") === duckdbType(column).replaceAll(" ", "");
  return column.children.every((child, i) => {
    const inner = field.children[i]!;
    return inner.id === child.id && (inner.name === child.name || column.type !== "struct") && isAlike(child, inner);
  });
}
