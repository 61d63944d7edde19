// Changes of rows as one SELECT, of deleted and new rows, which passes the gate as a whole, as any SELECT does.

import type { LakeColumn, LakeTable } from "../../../../../kernel/lake/lake.ts";
import type { MovedTable } from "../../sql/moved-tables.ts";
import { assigned, keep, positionsOf, prefixOf, targetOf } from "./compose-cells.ts";
import { composeMerge } from "./compose-merge.ts";
import type { RowStatement } from "../parse/statement.ts";
import { needColumns, plainName } from "../table-names.ts";
import { cell, CHANGE } from "../../process/write-work.ts";

/**
 * `columns`: those of the new rows; none where rows are only deleted. `moved`: tables that the SELECT finds elsewhere.
 */
export type Change = { select: string; columns: LakeColumn[]; once: boolean; moved: MovedTable[] };

/** `sourceNames`: the columns of a MERGE's source, where it takes all of them. */
export function composeChange(statement: RowStatement, table: LakeTable, sourceNames: readonly string[]): Change {
  const moved: MovedTable[] = [{ schema: table.schema, name: table.name, parts: 2 }];
  if (statement.kind === "merge") {
    if (statement.sourceName) moved.push({ ...plainName(statement.sourceName), parts: 1 });
    return {
      select: composeMerge(statement, table, sourceNames),
      columns: comingOf(statement, table),
      once: true,
      moved,
    };
  }
  const isUpdate = statement.kind === "update";
  const columns = isUpdate ? table.columns : [];
  const set = isUpdate
    ? needColumns(
        table,
        statement.set.map(({ column }) => column),
      )
    : [];
  const { target, ref } = targetOf(statement, table);
  const cells = columns.map((column, i) => {
    const at = set.indexOf(column);
    const value = at < 0 || !isUpdate ? keep(column, ref) : assigned(column, statement.set[at]!.value, table);
    return `${value} AS ${cell(i)}`;
  });
  const others = isUpdate ? statement.from : statement.kind === "delete" ? statement.using : undefined;
  const select = [
    prefixOf(statement.ctes),
    `SELECT ${[...positionsOf(ref), `${isUpdate} AS ${CHANGE.comes}`, ...cells].join(", ")}`,
    `FROM ${target}${others ? `,\n${others.text}` : ""}`,
    ...(statement.where ? [`WHERE (\n${statement.where.text}\n)`] : []),
  ].join("\n");
  return { select, columns, once: isUpdate, moved };
}

const comingOf = (statement: Extract<RowStatement, { kind: "merge" }>, table: LakeTable): LakeColumn[] =>
  statement.clauses.some(({ action }) => action.kind === "update" || action.kind === "insert") ? table.columns : [];
