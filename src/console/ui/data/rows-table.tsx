// The first rows of something, as they are: numbers with all their digits, and NULL told from an empty text.

import styles from "./rows-table.module.css";

type RowsTableProps = {
  label: string;
  columns: readonly { name: string; type: string; kind: string }[];
  rows: readonly Readonly<Record<string, unknown>>[];
};

const NUMBERS = new Set(["integer", "bigint", "decimal", "float", "double", "number"]);

export function RowsTable({ label, columns, rows }: RowsTableProps) {
  return (
    <section className={styles.frame} tabIndex={0} aria-label={label}>
      <table className={styles.rows}>
        <thead>
          <tr>
            {columns.map(({ name, type, kind }) => (
              <th key={name} data-number={NUMBERS.has(kind) || undefined} scope="col">
                {name}
                <small>{type.toLowerCase()}</small>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr key={at}>
              {columns.map(({ name, kind }) => (
                <td key={name} data-number={NUMBERS.has(kind) || undefined}>
                  <Cell value={row[name]} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Cell({ value }: { value: unknown }) {
  if (value === null || value === undefined) return <span className={styles.null}>NULL</span>;
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  return <span title={text.length > 40 ? text : undefined}>{text}</span>;
}
