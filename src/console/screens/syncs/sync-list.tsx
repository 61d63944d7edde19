// All syncs of the team: how each does, how old its data is, and when it runs next.

import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { useMay } from "../../api/me.ts";
import { Button } from "../../ui/controls.ts";
import { formatDuration } from "../../ui/data/format.ts";
import { ListTable } from "../../ui/data/list-table.tsx";
import { State, Time, useNow } from "../../ui/data/values.tsx";
import { EmptyState, Loaded } from "../../ui/feedback/states.tsx";
import { Icon } from "../../ui/icons.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { syncsQuery } from "./queries.ts";
import { isUnderWay, scheduleText, stateOfSync, type SyncSummary } from "./sync-state.ts";

const TICK_MS = 15_000;

export const syncHref = ({ integration_id, dest_schema }: SyncSummary): string =>
  `/syncs/${integration_id}?schema=${encodeURIComponent(dest_schema)}`;

export function SyncList() {
  const mayWrite = useMay("integrations:write");
  const syncs = useQuery(syncsQuery());
  const now = useNow(TICK_MS);
  const make = mayWrite && (
    <Button component={Link} href="/syncs/new" leftSection={<Icon name="plus" size={16} />}>
      Make a sync
    </Button>
  );
  return (
    <Page title="Syncs" lead="Tables of connected databases, brought into the lake on a schedule." actions={make}>
      <Loaded query={syncs}>
        {({ data }) => (
          <ListTable
            empty={
              <EmptyState title="Nothing is synced yet" action={make}>
                A sync copies a database's tables into a schema of the lake, and keeps them up to date.
              </EmptyState>
            }
            label="Syncs"
            rows={data}
            keyOf={({ id }) => id}
            columns={[
              {
                name: "From",
                cell: (sync) => <Link href={syncHref(sync)}>{sync.source_name ?? "an integration that is gone"}</Link>,
              },
              {
                name: "Into",
                cell: ({ lake_name, dest_schema }) => `${lake_name ?? "a lake that is gone"}.${dest_schema}`,
              },
              { name: "State", cell: (sync) => <SyncState sync={sync} now={now} /> },
              { name: "Last run", cell: LastRun },
              {
                name: "Data is",
                cell: ({ age_seconds: age }) => (age === null ? "not there" : `${formatDuration(age * 1_000)} old`),
              },
              { name: "Runs", cell: (sync) => scheduleText(sync) },
              {
                name: "Next",
                cell: ({ next_run_at, status }) => (
                  <Time at={next_run_at} never={status === "paused" ? "paused" : "not due"} />
                ),
              },
              { name: "Problem", cell: ({ problem }) => problem ?? "" },
            ]}
          />
        )}
      </Loaded>
    </Page>
  );
}

export function SyncState({ sync, now }: { sync: SyncSummary; now: number }) {
  const { tone, text } = stateOfSync(sync, now);
  return <State tone={tone}>{text}</State>;
}

function LastRun({ integration_id, last_run: run }: SyncSummary) {
  if (!run) return <Time at={null} />;
  return (
    <Link href={`/syncs/${integration_id}/runs/${run.run_id}`}>
      {isUnderWay(run.state) ? <State tone="busy">{run.state}</State> : <Time at={run.ended_at ?? run.created_at} />}
    </Link>
  );
}
