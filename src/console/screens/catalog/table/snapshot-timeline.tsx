// The snapshots that touched a table, the newest first: what each changed, and the way to the rows as they were.

import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import type { components } from "../../../api/schema.d.ts";
import { queryHref } from "../../../api/query-link.ts";
import { lakeTableName } from "../../../api/sql-text.ts";
import { formatBytes, formatCount } from "../../../ui/data/format.ts";
import { Time } from "../../../ui/data/values.tsx";
import { EmptyState, Loaded } from "../../../ui/feedback/states.tsx";
import { snapshotsQuery, tableHref, type TablePlace } from "../queries.ts";
import styles from "../catalog.module.css";

type Snapshot = components["schemas"]["TableSnapshot"];

const OPERATIONS: Record<NonNullable<Snapshot["operation"]>, string> = {
  create: "Created",
  append: "Rows added",
  delete: "Rows deleted",
  update: "Rows changed",
  overwrite: "Overwritten",
  alter: "Altered",
  compact: "Compacted",
  none: "Nothing changed",
};

export function SnapshotTimeline({ place }: { place: TablePlace }) {
  const snapshots = useQuery(snapshotsQuery(place));
  return (
    <Loaded query={snapshots}>
      {({ items, total }) =>
        items.length === 0 ? (
          <EmptyState title="No snapshot is left">
            Maintenance has expired them; the newest state is what there is.
          </EmptyState>
        ) : (
          <>
            <ol className={styles.timeline}>
              {items.map((snapshot) => (
                <Entry key={snapshot.snapshot_id} place={place} snapshot={snapshot} />
              ))}
            </ol>
            {items.length < total && <small>{`The newest ${items.length} of ${total} are shown.`}</small>}
          </>
        )
      }
    </Loaded>
  );
}

function Entry({ place, snapshot }: { place: TablePlace; snapshot: Snapshot }) {
  const { snapshot_id: id, at, author, message, operation, columns_changed } = snapshot;
  const sql = `SELECT * FROM ${lakeTableName(place.schema, place.table)} AT (VERSION => ${id}) LIMIT 100`;
  return (
    <li>
      <b>{operation === null ? "Changed" : OPERATIONS[operation]}</b> <small>snapshot {id}</small>
      <div className={styles.change}>
        <Time at={at} />
        {author && <span>by {author}</span>}
        {message && <span>“{message}”</span>}
      </div>
      <div className={styles.change}>
        <Change added={snapshot.rows_added} removed={snapshot.rows_removed} unit="rows" format={formatCount} />
        <Change added={snapshot.files_added} removed={snapshot.files_removed} unit="files" format={formatCount} />
        <Change added={snapshot.bytes_added} removed={snapshot.bytes_removed} unit="" format={formatBytes} />
      </div>
      {columns_changed.map(({ change, name, lake_type, before }) => (
        <div key={`${change} ${name}`} className={styles.change}>
          column {name} {change}
          {before && `, was ${before.name} ${before.lake_type}`}, {lake_type}
        </div>
      ))}
      <div className={styles.change}>
        <Link href={`${tableHref(place)}?tab=rows&at=${id}`}>Rows at this snapshot</Link>
        <Link href={queryHref({ text: sql })}>Query it</Link>
      </div>
    </li>
  );
}

type ChangeProps = { added: number | null; removed: number | null; unit: string; format: (value: number) => string };

function Change({ added, removed, unit, format }: ChangeProps) {
  if (!added && !removed) return null;
  return (
    <span>
      {!!added && <span className={styles.added}>+{format(added)}</span>}{" "}
      {!!removed && <span className={styles.removed}>−{format(removed)}</span>} {unit}
    </span>
  );
}
