// A result as a table: the rows that fit are drawn, the others as one scrolls to them. NULL differs from an empty text.

import { useState } from "react";
import { formatCell, type Format } from "../../../../kernel/docs/draw/formats.ts";
import { NUMBER_KINDS, type ResultTable } from "../../../../kernel/docs/draw/result-table.ts";
import styles from "./table-view.module.css";

const ROW_PX = 28;
const AROUND = 12;
const FIRST_ROWS = 40;

export type TableColumn = { at: number; label: string; format?: Format | undefined };

type TableViewProps = {
  label: string;
  table: ResultTable;
  /** All when absent. */
  columns?: readonly TableColumn[];
  /** The rows in the order in which they are shown; as they are when absent. */
  order?: readonly number[];
  onCell?: ((row: number, column: number) => void) | undefined;
};

export function TableView({ label, table, columns, order, onCell }: TableViewProps) {
  const [seen, setSeen] = useState({ from: 0, to: FIRST_ROWS });
  const shown = columns ?? table.columns.map(({ name }, at): TableColumn => ({ at, label: name }));
  const from = Math.min(seen.from, Math.max(0, table.rowCount - 1));
  const to = Math.min(seen.to, table.rowCount);
  const rows = Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i);
  return (
    <section
      className={styles.frame}
      tabIndex={0}
      aria-label={label}
      onScroll={({ currentTarget: { scrollTop, clientHeight } }) => {
        const next = Math.max(0, Math.floor(scrollTop / ROW_PX) - AROUND);
        const end = Math.ceil((scrollTop + clientHeight) / ROW_PX) + AROUND;
        if (next !== seen.from || end !== seen.to) setSeen({ from: next, to: end });
      }}
    >
      <table className={styles.table} aria-rowcount={table.rowCount + 1}>
        <thead>
          <tr>
            {shown.map(({ at, label: name }) => (
              <th key={at} data-number={isNumber(table, at) || undefined}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {from > 0 && <tr style={{ height: from * ROW_PX }} />}
          {rows.map((place) => {
            const row = order ? order[place]! : place;
            return (
              <tr key={place} aria-rowindex={place + 2}>
                {shown.map(({ at, format }) => {
                  const cell = table.cell(row, at);
                  return (
                    <td key={at} data-number={isNumber(table, at) || undefined}>
                      {cell === null ? (
                        <span className={styles.null}>NULL</span>
                      ) : onCell ? (
                        <button type="button" className={styles.cell} onClick={() => onCell(row, at)}>
                          {formatCell(cell, format)}
                        </button>
                      ) : (
                        formatCell(cell, format)
                      )}
                    </td>
                  );
                })}
              </tr>
            );
          })}
          {to < table.rowCount && <tr style={{ height: (table.rowCount - to) * ROW_PX }} />}
        </tbody>
      </table>
      {table.rowCount === 0 && <p className={styles.none}>No rows</p>}
    </section>
  );
}

const isNumber = (table: ResultTable, at: number): boolean => NUMBER_KINDS.has(table.columns[at]!.kind);
