// The tables of a run: the phase of each, how far it is, and what is to be said of it.

import type { components } from "../../../api/schema.d.ts";
import { formatCount } from "../../../ui/data/format.ts";
import { ListTable } from "../../../ui/data/list-table.tsx";
import { Bytes, Count, State } from "../../../ui/data/values.tsx";
import { ProgressBar } from "../../../ui/figures/progress-bar.tsx";
import { Panel } from "../../../ui/layout/page.tsx";
import { PHASE_STATES } from "../sync-state.ts";
import styles from "../syncs.module.css";

type Table = components["schemas"]["SyncRunTable"];

export function RunTables({ tables }: { tables: readonly Table[] }) {
  if (tables.length === 0)
    return (
      <Panel title="Tables">
        <p>Which tables it brings is known once it has begun.</p>
      </Panel>
    );
  return (
    <Panel title="Tables">
      <ListTable
        label="Tables"
        rows={tables}
        keyOf={({ source, table }) => `${source} ${table}`}
        columns={[
          { name: "At the source", cell: ({ source }) => source },
          {
            name: "Phase",
            cell: ({ phase }) => <State tone={PHASE_STATES[phase].tone}>{PHASE_STATES[phase].text}</State>,
          },
          { name: "Progress", cell: Progress },
          { name: "Rows read", isNumber: true, cell: ({ rows_read }) => <Count value={rows_read} /> },
          { name: "Written", isNumber: true, cell: ({ rows_written }) => <Count value={rows_written} /> },
          { name: "Deleted", isNumber: true, cell: ({ rows_deleted }) => <Count value={rows_deleted} /> },
          { name: "Bytes", isNumber: true, cell: ({ bytes_written }) => <Bytes value={bytes_written} /> },
          { name: "How", cell: ({ method }) => method },
          { name: "Notes", cell: Notes },
        ]}
      />
    </Panel>
  );
}

function Progress({ source, phase, rows_read, rows_compared, rows_estimated }: Table) {
  if (phase === "done" || phase === "skipped" || phase === "waiting") return null;
  const rows = Math.max(rows_read, rows_compared);
  if (!rows_estimated) return `${formatCount(rows)} rows`;
  const share = Math.min(1, rows / rows_estimated);
  return (
    <div className={styles.progress}>
      <ProgressBar label={`Progress of ${source}`} share={share} />
      <small>
        {formatCount(rows)} of about {formatCount(rows_estimated)} rows
      </small>
    </div>
  );
}

function Notes({ error, notes }: Table) {
  if (!error && notes.length === 0) return null;
  return (
    <ul className={styles.notes}>
      {error && <li>{error}</li>}
      {notes.map((note) => (
        <li key={note}>{note}</li>
      ))}
    </ul>
  );
}
