// An answer's columns are shown with titles in place of names and values in the model's formats, or as a pivot. Pure.

import { formatCell, type Format } from "../../../../../kernel/docs/draw/formats.ts";
import { pivotRows } from "../../../../../kernel/docs/draw/pivot-rows.ts";
import { NUMBER_KINDS, type ResultTable } from "../../../../../kernel/docs/draw/result-table.ts";
import type { ColumnLabels } from "../../../ui/charts/likely-chart.ts";
import { cutNote } from "../../../ui/grid/cut-note.ts";
import type { GridSource } from "../../../ui/grid/grid-source.ts";
import type { Member } from "../state/members.ts";

/** `at` is its place in the answer; `field` what the answer calls it, `member` the one it is of. */
export type ShownColumn = {
  at: number;
  field: string;
  member: string;
  title: string;
  format: Format | undefined;
  isMeasure: boolean;
  isNumber: boolean;
};

const FINE = new Set(["second", "minute", "hour"]);

/** A time that is grouped by comes twice, with its granularity and without: it is shown once. */
export function shownColumns({ columns }: Pick<ResultTable, "columns">, members: readonly Member[]): ShownColumn[] {
  const known = new Map(members.map((member) => [member.name, member]));
  return columns.flatMap(({ name, kind }, at) => {
    if (columns.some((other) => other.name.startsWith(`${name}.`))) return [];
    const [cube = "", part = "", granularity] = name.split(".");
    const member = `${cube}.${part}`;
    const found = known.get(member);
    const title = found?.title ?? member;
    const label = found?.granularities.find(({ value }) => value === granularity)?.label ?? granularity;
    return [
      {
        at,
        field: name,
        member,
        title: granularity === undefined ? title : `${title} (${label})`,
        format: granularity === undefined ? found?.format : FINE.has(granularity) ? "datetime" : "date",
        isMeasure: found?.kind === "measure",
        isNumber: NUMBER_KINDS.has(kind),
      } satisfies ShownColumn,
    ];
  });
}

export const labelsOf = (columns: readonly ShownColumn[]): ColumnLabels =>
  Object.fromEntries(columns.map(({ field, title, format }) => [field, { title, format }]));

/** The shown columns alone, for charts. */
export const tableOf = (table: ResultTable, columns: readonly ShownColumn[]): ResultTable => ({
  columns: columns.map(({ at }) => table.columns[at]!),
  rowCount: table.rowCount,
  cell: (row, column) => table.cell(row, columns[column]!.at),
});

/** Numbers without a format keep all their digits. */
export const gridOf = (source: GridSource, columns: readonly ShownColumn[]): GridSource => ({
  columns: columns.map(({ at, title, isNumber }) => ({ name: title, type: source.columns[at]!.type, isNumber })),
  rowCount: source.rowCount,
  text(row, column) {
    const { at, format } = columns[column]!;
    const text = source.text(row, at);
    return text === null || format === undefined ? text : formatCell(text, format);
  },
});

export const PIVOT_BOUNDS = { groupsMax: 10_000, splitsMax: 500 };

export type Pivoted = { grid: GridSource; notes: string[] };

/** The rows by the dimensions that do not go to columns; `across` names those that do, by their fields. */
export function pivoted(table: ResultTable, columns: readonly ShownColumn[], across: readonly string[]): Pivoted {
  const axis = ({ field, title, format }: ShownColumn) => ({ field, label: title, format });
  const dimensions = columns.filter(({ isMeasure }) => !isMeasure);
  const measures = columns.filter(({ isMeasure, isNumber }) => isMeasure && isNumber);
  const isAcross = ({ field }: ShownColumn) => across.includes(field);
  const viz = {
    type: "pivot" as const,
    rows: dimensions.filter((column) => !isAcross(column)).map(axis),
    columns: dimensions.filter(isAcross).map(axis),
    values: measures.map(axis),
  };
  const found = pivotRows(viz, table, PIVOT_BOUNDS);
  const left = columns.filter(({ isMeasure, isNumber }) => isMeasure && !isNumber);
  return {
    grid: {
      columns: found.columns.map(({ label, isNumber }) => ({ name: label, type: "", isNumber })),
      rowCount: found.rows.length,
      text: (row, column) => found.rows[row]![column] ?? null,
    },
    notes: [
      ...found.notes,
      ...cutNote("rows", found.rows.length, found.rowCount),
      ...cutNote("columns", found.columns.length, found.columnCount),
      ...left.map(({ title }) => `${title} is no number, and is left out.`),
    ],
  };
}
