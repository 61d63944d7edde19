// MERGE INTO as one SELECT of three parts: rows that match, source rows that match none, table rows that match none.

import { sameName } from "../../../duckdb/names.ts";
import { quoteIdentifier } from "../../../duckdb/quoting.ts";
import type { LakeColumn, LakeTable } from "../../../../../kernel/lake/lake.ts";
import { assigned, cast, keep, positionsOf, prefixOf, targetOf } from "./compose-cells.ts";
import { refuseWrite } from "../parse/token-cursor.ts";
import type { MergeAction, MergeClause, RowStatement } from "../parse/statement.ts";
import { needColumns, spelled, sqlError } from "../table-names.ts";
import { cell, CHANGE } from "../../process/write-work.ts";

type Merge = Extract<RowStatement, { kind: "merge" }>;

const SOURCE = '"fjord source"';
const ACTION = '"fjord action"';

/** Whether the merge takes all the source's columns, so that it has to be known which they are. */
export const takesWholeSource = ({ clauses }: Merge): boolean =>
  clauses.some(
    ({ action }) =>
      (action.kind === "update" && typeof action.set === "string") ||
      (action.kind === "insert" && typeof action.values === "string"),
  );

/** The source by itself. */
export const sourceSelect = ({ ctes, source }: Merge): string => `${prefixOf(ctes)}\nSELECT * FROM\n${source.text}`;

/**
 * The source is read once, so that its random values are the same for all parts. `sourceNames` may be empty unless
 * {@link takesWholeSource}.
 */
export function composeMerge(merge: Merge, table: LakeTable, sourceNames: readonly string[]): string {
  const { target, ref } = targetOf(merge, table);
  const source = `${SOURCE} AS ${quoteIdentifier(merge.sourceAlias)}`;
  const on =
    "columns" in merge.on
      ? usingText(merge.on.columns, ref, quoteIdentifier(merge.sourceAlias))
      : `(\n${merge.on.text}\n)`;
  const context: MergeContext = { merge, table, sourceNames, ref };
  const select = (kind: MergeClause["on"], from: string): string => selectBranch(context, kind, from);
  const parts = [
    // Part of the SELECT even where no clause asks for it, so that DuckDB checks the condition as that of a join:
    // within the subqueries alone a name could mean another column.
    select("matched", `FROM ${target} JOIN ${source} ON ${on}`),
    ...(has(merge, "not_matched")
      ? [select("not_matched", `FROM ${source} WHERE NOT EXISTS (SELECT 1 FROM ${target} WHERE ${on})`)]
      : []),
    ...(has(merge, "not_matched_by_source")
      ? [select("not_matched_by_source", `FROM ${target} WHERE NOT EXISTS (SELECT 1 FROM ${source} WHERE ${on})`)]
      : []),
  ];
  const ctes = merge.ctes ? `${merge.ctes.text},` : "WITH";
  return (
    `${ctes} ${SOURCE} AS MATERIALIZED (SELECT * FROM\n${merge.source.text}\n)\n` +
    `SELECT * EXCLUDE (${ACTION}) FROM (\n${parts.join("\nUNION ALL\n")}\n) WHERE ${ACTION} > 0`
  );
}

/** A condition that may hold a query, and one with random values, which would differ each time it is evaluated. */
const QUERY = /\b(?:select|from|values|table)\b/i;
const CHANCE = /\b(?:random|uuid\w*|gen_random_uuid)\s*\(/i;

type MergeContext = { merge: Merge; table: LakeTable; sourceNames: readonly string[]; ref: string };

const has = ({ clauses }: Merge, kind: MergeClause["on"]): boolean => clauses.some(({ on }) => on === kind);

const usingText = (columns: readonly string[], ref: string, source: string): string =>
  columns.map((name) => `${ref}.${quoteIdentifier(name)} = ${source}.${quoteIdentifier(name)}`).join(" AND ");

/**
 * Rows of one kind, with the number of the first clause whose condition they meet: 0 where it does nothing, NULL where
 * there is none.
 */
function selectBranch(context: MergeContext, kind: MergeClause["on"], from: string): string {
  const { merge, table, ref } = context;
  const clauses = merge.clauses.filter(({ on }) => on === kind);
  const when = (value: (clause: MergeClause, number: number) => string | undefined): string =>
    clauses
      .map((clause, i) => ({ text: value(clause, i + 1), number: i + 1 }))
      .filter(({ text }) => text !== undefined)
      .map(({ text, number }) => `WHEN ${number} THEN ${text}`)
      .join(" ");
  const chance = clauses.find(({ condition }) => condition && CHANCE.test(condition.text));
  if (chance) refuseWrite("The condition of a WHEN can't be left to chance.", chance.at);
  const numbers = clauses
    .map(
      ({ condition, action }, i) =>
        `WHEN ${condition ? `(\n${condition.text}\n)` : "true"} THEN ${action.kind === "nothing" ? 0 : i + 1}`,
    )
    .join(" ");
  // An alias can't be used where it stands for a query.
  const chosen = clauses.some(({ condition }) => condition && QUERY.test(condition.text))
    ? `CASE ${numbers} END`
    : ACTION;
  const coming = clauses.flatMap(({ action }, i) =>
    action.kind === "update" || action.kind === "insert" ? [i + 1] : [],
  );
  const valuesOf = clauses.map(({ action }) => cellsOf(action, context));
  const isComing = merge.clauses.some(({ action }) => action.kind === "update" || action.kind === "insert");
  const cells = (isComing ? table.columns : []).map((column, i) => {
    const cases = when((_, number) => valuesOf[number - 1]?.[i]);
    const value = cases === "" ? cast({ ...column, nullable: true }, "NULL", table) : `CASE ${chosen} ${cases} END`;
    return `${value} AS ${cell(i)}`;
  });
  const positions =
    kind === "not_matched"
      ? [`CAST(NULL AS VARCHAR) AS ${CHANGE.file}`, `CAST(NULL AS BIGINT) AS ${CHANGE.position}`]
      : positionsOf(ref);
  const action = `${clauses.length === 0 ? "CAST(NULL AS INTEGER)" : `CASE ${numbers} END`} AS ${ACTION}`;
  const comes = coming.length === 0 ? "false" : `${chosen} IN (${coming.join(", ")})`;
  return `SELECT ${[...positions, action, `${comes} AS ${CHANGE.comes}`, ...cells].join(", ")}\n${from}`;
}

/** The new row's values, in the order of the table's columns; undefined where the action adds no row. */
function cellsOf(action: MergeAction, { merge, table, sourceNames, ref }: MergeContext): string[] | undefined {
  if (action.kind === "delete" || action.kind === "nothing") return undefined;
  const fromSource = (name: string): string => `${quoteIdentifier(merge.sourceAlias)}.${quoteIdentifier(name)}`;
  if (action.kind === "update") {
    if (typeof action.set === "string") {
      const sources = sourcesOf(action.set, table, sourceNames);
      return table.columns.map((column, i) =>
        sources[i] === undefined ? keep(column, ref) : cast(column, fromSource(sources[i]), table),
      );
    }
    const set = needColumns(
      table,
      action.set.map(({ column }) => column),
    );
    const { set: assignments } = action;
    return table.columns.map((column) =>
      set.includes(column) ? assigned(column, assignments[set.indexOf(column)]!.value, table) : keep(column, ref),
    );
  }
  if (typeof action.values === "string") {
    const sources = sourcesOf(action.values, table, sourceNames);
    return table.columns.map((column, i) =>
      cast(column, sources[i] === undefined ? "NULL" : fromSource(sources[i]), table),
    );
  }
  const { values } = action;
  const columns: LakeColumn[] = action.columns ? needColumns(table, action.columns) : table.columns;
  if (columns.length !== values.length)
    throw sqlError(`INSERT names ${columns.length} columns of ${spelled(table)} and gives ${values.length} values.`);
  return table.columns.map((column) => {
    const at = columns.indexOf(column);
    return at < 0 ? cast(column, "NULL", table) : assigned(column, values[at], table);
  });
}

/** For each column of the table the source's column it takes, if any. */
function sourcesOf(
  by: "position" | "name",
  table: LakeTable,
  sourceNames: readonly string[],
): Array<string | undefined> {
  if (by === "position") {
    if (sourceNames.length !== table.columns.length)
      throw sqlError(
        `All columns are taken by their places, but ${spelled(table)} has ${table.columns.length} and the source ` +
          `${sourceNames.length}; say BY NAME, or name them.`,
      );
    return [...sourceNames];
  }
  const stranger = sourceNames.find((name) => !table.columns.some((column) => sameName(column.name, name)));
  if (stranger !== undefined)
    throw sqlError(`The table ${spelled(table)} has no column ${stranger}, which the source has.`);
  return table.columns.map((column) => sourceNames.find((name) => sameName(name, column.name)));
}
