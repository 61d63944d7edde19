// The columns of a source's table become columns of the lake: each gets a name of its own there, its id, and the width
// of its cells.

import type { LakeColumn } from "../../../kernel/lake/lake.ts";
import { scalarType } from "../../../kernel/lake/lake-types.ts";
import { foldName } from "../duckdb/names.ts";
import type { ReadAs, SourceColumn, SourceComments } from "./source-table.ts";
import type { TypePlan } from "./type-plans.ts";
import type { CellWidth } from "./vector-column.ts";

/** Plans one column under its name in the lake; `readAs` overrules what its declaration suggests. */
export type PlanColumn<Declared> = (column: Declared, lakeName: string, readAs?: ReadAs) => SourceColumn;

/** A column of this plan, under its name in the lake. `select` is the expression that reads it. */
export function plannedColumn(
  { name, type, nullable, select }: { name: string; type: string; nullable: boolean; select: string },
  lakeName: string,
  { type: lakeType, reading, children = [] }: TypePlan & { children?: LakeColumn[] },
): SourceColumn {
  const lake: LakeColumn = { id: 0, name: lakeName, type: lakeType, nullable, children };
  return { name, type, lake, select, reading, width: cellWidth(lake) };
}

/** `readAs` is by the source's column names. `notes` name the columns that could not keep their names. */
export function planColumns<Declared extends { name: string }>(
  declared: readonly Declared[],
  readAs: ReadonlyMap<string, ReadAs>,
  planColumn: PlanColumn<Declared>,
): { columns: SourceColumn[]; notes: string[] } {
  const names = declared.map(({ name }) => name);
  const inLake = lakeNames(names);
  const planned = declared.map((column, i) => planColumn(column, inLake[i]!, readAs.get(column.name)));
  const numbered = numberColumns(planned.map(({ lake }) => lake));
  return {
    columns: planned.map((column, i) => ({ ...column, lake: numbered[i]! })),
    notes: notesOfNames(names, inLake),
  };
}

/**
 * A name of its own for each column: DuckDB compares them without regard to case, and the lake's have no control
 * characters.
 */
function lakeNames(names: string[]): string[] {
  const clean = names.map((name) => name.replaceAll(/\p{Cc}/gu, "_"));
  const taken = new Set(clean.map((name) => foldName(name)));
  const seen = new Set<string>();
  return clean.map((name) => {
    let own = name;
    for (let n = 2; seen.has(foldName(own)); n++) if (!taken.has(foldName(`${name}_${n}`))) own = `${name}_${n}`;
    seen.add(foldName(own));
    return own;
  });
}

/** Notes for the user about columns that could not keep their names. */
const notesOfNames = (names: string[], inLake: string[]): string[] =>
  names.flatMap((name, i) =>
    inLake[i] === name
      ? []
      : [
          `Column ${name} is called ${inLake[i]} in the lake, ` +
            "where names are the same in capitals and small letters, and have no control characters.",
        ],
  );

/** Gives a new table's columns their ids: 1, 2, 3 … depth first. */
export function numberColumns(columns: LakeColumn[]): LakeColumn[] {
  let last = 0;
  const number = (column: LakeColumn): LakeColumn => ({ ...column, id: ++last, children: column.children.map(number) });
  return columns.map(number);
}

export const commentsOf = (columns: readonly { name: string; comment: string | null }[]): SourceComments["columns"] =>
  new Map(columns.flatMap(({ name, comment }) => (comment ? [[name, comment]] : [])));

/** Bytes that a cell of a lake type takes in a vector; a list takes its place and its length. */
export const cellWidth = ({ type }: LakeColumn): CellWidth => scalarType(type)?.vectorBytes ?? 16;
