// A sync brings these tables; each tells how it is loaded, and what that way cannot see at the source.

import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { ListTable } from "../../../ui/data/list-table.tsx";
import { Loaded } from "../../../ui/feedback/states.tsx";
import { Panel } from "../../../ui/layout/page.tsx";
import { LoadMethodNote } from "../form/load-method-note.tsx";
import { syncQuery } from "../queries.ts";
import type { SyncSummary } from "../sync-state.ts";

export function SyncTables({ sync }: { sync: SyncSummary }) {
  const config = useQuery(syncQuery(sync));
  return (
    <Panel title="Tables and method">
      <Loaded query={config}>
        {({ sync_config: { tables, tables_expanded, load_method, cursors, append_full_rows } }) => (
          <>
            <LoadMethodNote method={load_method} appendsFullRows={append_full_rows} />
            <ListTable
              label="Tables"
              rows={tables_expanded ?? tables}
              keyOf={(table) => table}
              columns={[
                { name: "At the source", cell: (table) => table },
                {
                  name: "In the lake",
                  cell: (table) => {
                    const name = table.slice(table.indexOf(".") + 1);
                    const place = [sync.dest_integration_id, sync.dest_schema, name].map(encodeURIComponent).join("/");
                    return name === "*" ? sync.dest_schema : <Link href={`/catalog/${place}`}>{name}</Link>;
                  },
                },
                {
                  name: "Cursor",
                  cell: (table) =>
                    cursors[table] ? (
                      <code>{cursors[table]}</code>
                    ) : load_method === "append" ? (
                      "none: rows are compared"
                    ) : (
                      "needs none"
                    ),
                },
              ]}
            />
          </>
        )}
      </Loaded>
    </Panel>
  );
}
