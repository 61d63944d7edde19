// The columns of a table: name, type, comment, and a profile that is drawn.

import type { components } from "../../../api/schema.d.ts";
import { lakeTableName, quoteName } from "../../../api/sql-text.ts";
import { ColumnProfileView } from "../profile/column-profile.tsx";
import type { TablePlace } from "../queries.ts";
import { EditableComment } from "./editable-comment.tsx";
import styles from "../catalog.module.css";

type Detail = components["schemas"]["LakeTableDetail"];
type ColumnListProps = { place: TablePlace; table: Detail; mayWrite: boolean };

export function ColumnList({ place, table, mayWrite }: ColumnListProps) {
  return (
    <ul className={styles.columns} aria-label="Columns">
      {table.columns.map((column) => (
        <li key={column.name} className={styles.column}>
          <div>
            <b>{column.name}</b>
            <small>
              {column.type.toLowerCase()}
              {!column.nullable && ", never NULL"}
            </small>
          </div>
          <EditableComment
            place={place}
            target={`COLUMN ${lakeTableName(place.schema, place.table)}.${quoteName(column.name)}`}
            comment={column.comment}
            label={`Comment of ${column.name}`}
            mayWrite={mayWrite}
          />
          <ColumnProfileView place={place} column={column} snapshotId={table.last_change.snapshot_id} />
        </li>
      ))}
    </ul>
  );
}
