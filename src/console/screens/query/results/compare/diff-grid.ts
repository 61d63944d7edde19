// The differences of two results as a grid: a changed row as it was and as it is, then rows that were added, then rows
// that were removed. Pure.

import { NUMBER_KINDS } from "../../../../../../kernel/docs/draw/result-table.ts";
import type { GridColumn, GridSource } from "../../../../ui/grid/grid-source.ts";
import type { RowDiff } from "./diff-rows.ts";
import type { DiffSide } from "./row-pairs.ts";

export type DiffPart = "all" | "changed" | "added" | "removed";

type Sides = { before: DiffSide; after: DiffSide };
/** A row of the grid: what happened to it, and where its cells are. `other`: the row that it is compared with. */
type Line = { what: "was" | "is" | "added" | "removed"; side: keyof Sides; row: number; other?: number };

export function diffGrid(diff: RowDiff, sides: Sides, part: DiffPart): GridSource {
  const { shared, onlyAfter, onlyBefore } = diff;
  const lines = linesOf(diff, part);
  const own = (side: keyof Sides, names: readonly string[]) =>
    names.map((name) => ({ side, at: sides[side].columns.findIndex((column) => column.name === name) }));
  const others = [...own("after", onlyAfter), ...own("before", onlyBefore)];
  const columns: GridColumn[] = [
    { name: "Difference", type: "", isNumber: false },
    ...shared.map(({ after }) => gridColumn(sides.after, after)),
    ...others.map(({ side, at }) => gridColumn(sides[side], at)),
  ];
  const cellOf = ({ side, row }: { side: keyof Sides; row: number }, column: number): string | null => {
    const place = shared[column];
    if (place) return sides[side].text(row, place[side]);
    const other = others[column - shared.length]!;
    // A column that only the other result has holds no NULL here.
    return other.side === side ? sides[side].text(row, other.at) : "";
  };
  return {
    columns,
    rowCount: lines.length,
    text: (row, column) => (column === 0 ? lines[row]!.what : cellOf(lines[row]!, column - 1)),
    cellMark(row, column) {
      const line = lines[row]!;
      if (line.what === "added" || line.what === "removed") return column === 0 ? line.what : undefined;
      const place = shared[column - 1];
      if (!place) return undefined;
      const theirs = { side: line.side === "before" ? "after" : "before", row: line.other! } as const;
      const [own, other] = [cellOf(line, column - 1), cellOf(theirs, column - 1)];
      const isSame = own === null || other === null ? own === other : place.normal(own) === place.normal(other);
      return isSame ? undefined : "changed";
    },
  };
}

const gridColumn = ({ columns, kinds }: DiffSide, at: number): GridColumn => ({
  name: columns[at]!.name,
  type: columns[at]!.type,
  isNumber: NUMBER_KINDS.has(kinds[at]!),
});

function linesOf({ changed, added, removed }: RowDiff, part: DiffPart): Line[] {
  const isShown = (one: DiffPart) => part === "all" || part === one;
  return [
    ...(isShown("changed")
      ? changed.flatMap(({ before, after }): Line[] => [
          { what: "was", side: "before", row: before, other: after },
          { what: "is", side: "after", row: after, other: before },
        ])
      : []),
    ...(isShown("added") ? added.map((row): Line => ({ what: "added", side: "after", row })) : []),
    ...(isShown("removed") ? removed.map((row): Line => ({ what: "removed", side: "before", row })) : []),
  ];
}
