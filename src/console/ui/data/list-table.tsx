// A table of things: one row each, a link in its first column, and a note where there is none. On a phone it scrolls by
// itself and the page does not.

import { Table } from "@mantine/core";
import type { ReactNode } from "react";
import styles from "./list-table.module.css";

export type Column<Row> = {
  /** Empty for a row's buttons. */
  name: string;
  /** Numbers stand at the end of their column, as buttons do. */
  isNumber?: boolean;
  cell(row: Row): ReactNode;
};

type ListTableProps<Row> = {
  /** What the table shows, for screen readers. */
  label: string;
  rows: readonly Row[];
  keyOf(row: Row): string;
  columns: readonly Column<Row>[];
  /** What stands there when there are no rows. */
  empty?: ReactNode;
};

export function ListTable<Row>({ label, rows, keyOf, columns, empty }: ListTableProps<Row>) {
  if (rows.length === 0 && empty !== undefined) return <>{empty}</>;
  return (
    <section className={styles.frame} tabIndex={0} aria-label={label}>
      <Table highlightOnHover className={styles.table}>
        <Table.Thead>
          <Table.Tr>
            {columns.map(({ name, isNumber }) => (
              <Table.Th key={name} data-number={isNumber || name === "" || undefined}>
                {name}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={keyOf(row)}>
              {columns.map(({ name, isNumber, cell }) => (
                <Table.Td key={name} data-number={isNumber || name === "" || undefined}>
                  {cell(row)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}
