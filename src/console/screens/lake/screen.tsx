// The lakes of the team: how each is, and its maintenance.

import { useQuery } from "@tanstack/react-query";
import { Link, useSearchParams } from "wouter";
import type { components } from "../../api/schema.d.ts";
import { Choice, Group } from "../../ui/controls.ts";
import { formatBytes, formatCount } from "../../ui/data/format.ts";
import { ListTable } from "../../ui/data/list-table.tsx";
import { State } from "../../ui/data/values.tsx";
import { EmptyState, Loaded } from "../../ui/feedback/states.tsx";
import { Page, Panel } from "../../ui/layout/page.tsx";
import { FiguresPanel, GRADES, StoragePanel } from "./figures.tsx";
import { MaintenancePanel } from "./maintenance-panel.tsx";
import { healthListQuery, healthQuery } from "./queries.ts";
import { SchedulePanel } from "./schedule-panel.tsx";

type Health = components["schemas"]["LakeHealth"];

export default function LakeScreen() {
  const [params, setParams] = useSearchParams();
  const lakes = useQuery(healthListQuery);
  return (
    <Page title="Lake" lead="How the lake's files are, and what keeps them well.">
      <Loaded query={lakes}>
        {({ items }) => {
          const lake = items.find(({ integrationId }) => integrationId === params.get("lake")) ?? items[0];
          if (!lake)
            return <EmptyState title="There is no lake">An admin can connect one under Integrations.</EmptyState>;
          return (
            <>
              {items.length > 1 && (
                <Group>
                  <Choice
                    label="Lake"
                    data={items.map(({ integrationId, name }) => ({ value: integrationId, label: name }))}
                    value={lake.integrationId}
                    onChange={(id) => setParams({ lake: id })}
                  />
                </Group>
              )}
              <LakeView key={lake.integrationId} integrationId={lake.integrationId} />
            </>
          );
        }}
      </Loaded>
    </Page>
  );
}

function LakeView({ integrationId }: { integrationId: string }) {
  const health = useQuery(healthQuery(integrationId));
  return (
    <>
      <Loaded query={health}>{(found) => <FiguresPanel health={found} />}</Loaded>
      <StoragePanel integrationId={integrationId} />
      {health.data && (
        <MaintenancePanel integrationId={integrationId} hasEnded={health.data.lastMaintenance !== null} />
      )}
      <SchedulePanel integrationId={integrationId} />
      {health.data && <TablesPanel health={health.data} />}
    </>
  );
}

function TablesPanel({ health: { integrationId, tables } }: { health: Health }) {
  if (tables.length === 0) return null;
  return (
    <Panel title="Tables">
      <ListTable
        label="Tables by size"
        rows={tables}
        keyOf={({ schema, name }) => `${schema}.${name}`}
        columns={[
          {
            name: "Table",
            cell: ({ schema, name }) => (
              <Link href={`/catalog/${[integrationId, schema, name].map(encodeURIComponent).join("/")}`}>
                {schema}.{name}
              </Link>
            ),
          },
          { name: "Grade", cell: ({ grade }) => <State tone={GRADES[grade]}>{grade}</State> },
          { name: "Files", isNumber: true, cell: ({ files }) => formatCount(files) },
          { name: "Small", isNumber: true, cell: ({ smallFiles }) => formatCount(smallFiles) },
          { name: "Delete files", isNumber: true, cell: ({ deleteFiles }) => formatCount(deleteFiles) },
          { name: "Rows", isNumber: true, cell: ({ rows }) => formatCount(rows) },
          { name: "Deleted", isNumber: true, cell: ({ deletedRows }) => formatCount(deletedRows) },
          { name: "Bytes", isNumber: true, cell: ({ bytes }) => formatBytes(bytes) },
        ]}
      />
    </Panel>
  );
}
