// The runs of a sync on a timeline: when each began, how long it took, and what became of it.

import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { ListTable } from "../../../ui/data/list-table.tsx";
import { Bytes, Count, Duration, State, Time, useNow } from "../../../ui/data/values.tsx";
import { EmptyState, Loaded } from "../../../ui/feedback/states.tsx";
import { Panel } from "../../../ui/layout/page.tsx";
import { runsQuery } from "../queries.ts";
import { durationOf, stateOfRun, type SyncRun } from "../sync-state.ts";
import { RunTimeline } from "./run-timeline.tsx";

const TICK_MS = 2_000;

/** Without `syncId` the runs of all the integration's syncs, deleted ones too. */
export function RunList({ integrationId, syncId }: { integrationId: string; syncId?: string }) {
  const now = useNow(TICK_MS);
  const runs = useQuery(runsQuery(integrationId));
  return (
    <Panel title="Runs">
      <Loaded query={runs}>
        {({ data }) => {
          const own = data.filter(({ details }) => syncId === undefined || details.sync_id === syncId);
          if (own.length === 0)
            return <EmptyState title="It never ran">Its first run comes when it is due.</EmptyState>;
          return (
            <>
              <RunTimeline runs={own} now={now} />
              <ListTable
                label="Runs"
                rows={own}
                keyOf={(run) => run.run_id}
                columns={[
                  {
                    name: "Began",
                    cell: ({ run_id, created_at, details }) => (
                      <Link href={`/syncs/${integrationId}/runs/${run_id}`}>
                        <Time at={details.started_at ?? created_at} />
                      </Link>
                    ),
                  },
                  { name: "State", cell: (run) => <RunState run={run} now={now} /> },
                  { name: "Why", cell: ({ details }) => causeText(details) },
                  { name: "Took", isNumber: true, cell: (run) => <Duration ms={durationOf(run, now)} /> },
                  {
                    name: "Tables",
                    isNumber: true,
                    cell: ({ details: d }) => `${d.tables_done ?? 0} of ${d.tables_total ?? "?"}`,
                  },
                  { name: "Rows read", isNumber: true, cell: ({ details }) => <Count value={details.rows_read} /> },
                  { name: "Written", isNumber: true, cell: ({ details }) => <Count value={details.rows_written} /> },
                  { name: "Bytes", isNumber: true, cell: ({ details }) => <Bytes value={details.bytes_written} /> },
                  { name: "Problem", cell: ({ details }) => details.reason ?? details.warnings[0] ?? "" },
                ]}
              />
            </>
          );
        }}
      </Loaded>
    </Panel>
  );
}

export function RunState({ run, now }: { run: SyncRun; now: number }) {
  const { tone, text } = stateOfRun(run, now);
  return <State tone={tone}>{text}</State>;
}

const CAUSES: Record<SyncRun["details"]["cause"], string> = {
  schedule: "it was due",
  manual: "asked for",
  configuration: "configured",
};

const causeText = ({ cause, full }: SyncRun["details"]): string => `${CAUSES[cause]}${full ? ", in full" : ""}`;
