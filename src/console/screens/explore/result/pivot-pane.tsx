// A pivot of the answer has the dimensions that are chosen for it in its columns. The address says which.

import { useMemo } from "react";
import type { ResultTable } from "../../../../../kernel/docs/draw/result-table.ts";
import { MultiSelect } from "../../../ui/controls.ts";
import { EmptyState } from "../../../ui/feedback/states.tsx";
import { Grid } from "../../../ui/grid/grid.tsx";
import styles from "./result-pane.module.css";
import { pivoted, type ShownColumn } from "./shown-columns.ts";
import { useSearch } from "../../../ui/use-search.ts";

export function PivotPane({ table, columns }: { table: ResultTable; columns: readonly ShownColumn[] }) {
  const [search, changeSearch] = useSearch();
  const dimensions = columns.filter(({ isMeasure }) => !isMeasure);
  const named = search.get("across")?.split(",");
  // Where nothing is chosen, the last dimension goes to columns, if one stays for the rows.
  const fallback = dimensions.length > 1 ? [dimensions.at(-1)!.field] : [];
  const across = (named ?? fallback).filter((field) => dimensions.some((one) => one.field === field));
  const key = across.join();
  const { grid, notes } = useMemo(() => pivoted(table, columns, key.split(",")), [table, columns, key]);
  if (!columns.some(({ isMeasure, isNumber }) => isMeasure && isNumber) || table.rowCount === 0)
    return (
      <div className={styles.note}>
        <EmptyState title="Nothing to pivot">A pivot needs rows with a measure that is a number.</EmptyState>
      </div>
    );
  return (
    <>
      <div className={styles.line}>
        <MultiSelect
          size="xs"
          miw={260}
          aria-label="To columns"
          placeholder={across.length === 0 ? "Dimensions to columns" : ""}
          data={dimensions.map(({ field, title }) => ({ value: field, label: title }))}
          value={across}
          onChange={(next) => changeSearch({ across: next.join(",") }, { replace: true })}
        />
        {notes.map((note) => (
          <span key={note} className={styles.cut}>
            {note}
          </span>
        ))}
      </div>
      <Grid key={key} source={grid} rowCount={grid.rowCount} label="Pivot of the answer" />
    </>
  );
}
