// Maintains a lake: a dry run says first what would be done; while it runs each step shows how far it is.

import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, dataOf } from "../../api/client.ts";
import { Alert, Button, Group, SegmentedControl } from "../../ui/controls.ts";
import { formatBytes, formatCount } from "../../ui/data/format.ts";
import { ListTable } from "../../ui/data/list-table.tsx";
import { Duration, State, Time, type Tone } from "../../ui/data/values.tsx";
import { ErrorNote, Loaded } from "../../ui/feedback/states.tsx";
import { Panel } from "../../ui/layout/page.tsx";
import { MaintenanceLog } from "./maintenance-log.tsx";
import { PlanView } from "./plan.tsx";
import { isActive, maintenanceQuery, pathOf, type MaintenanceKind, type Maintenance } from "./queries.ts";
import { useFormAction } from "../../ui/feedback/use-action.ts";

const KINDS: Record<MaintenanceKind, string> = {
  daily: "Daily: merge small files, delete what nothing needs",
  full: "Full: rewrite deleted rows and expire snapshots, too",
};
const STATES: Record<Maintenance["state"], Tone> = {
  queued: "busy",
  running: "busy",
  succeeded: "good",
  failed: "bad",
  timed_out: "bad",
  cancelled: "quiet",
  skipped: "quiet",
};

type Progress = NonNullable<Maintenance["progress"]>;
type StepState = Progress["steps"][number]["state"];
const STEP_TONES: Record<StepState, Tone> = {
  waiting: "quiet",
  running: "busy",
  done: "good",
  failed: "bad",
  skipped: "quiet",
};

type MaintenancePanelProps = {
  integrationId: string;
  /** Whether one has ever ended: before that there is nothing to look for until one is asked for here. */
  hasEnded: boolean;
};

export function MaintenancePanel({ integrationId, hasEnded }: MaintenancePanelProps) {
  const [kind, setKind] = useState<MaintenanceKind>("daily");
  const params = pathOf(integrationId);
  const submit = (dryRun: boolean) =>
    dataOf(api.POST("/v4/admin/lake/maintenance/{integration_id}", { params, body: { kind, dryRun } }));
  const dryRun = useMutation({ mutationFn: () => submit(true) });
  const run = useFormAction(() => submit(false), { renews: ["lake"], onDone: () => dryRun.reset() });
  const hasAny = hasEnded || run.isSuccess;
  const maintenance = useQuery({ ...maintenanceQuery(integrationId), enabled: hasAny });
  const cancel = useFormAction(
    () => dataOf(api.POST("/v4/admin/lake/maintenance/{integration_id}/cancel", { params })),
    { renews: ["lake"] },
  );
  const current = maintenance.data;
  const isBusy = current ? isActive(current) : false;
  const error = dryRun.error ?? run.error ?? cancel.error;
  return (
    <Panel
      title="Maintenance"
      actions={
        isBusy && (
          <Button size="xs" variant="default" loading={cancel.isPending} onClick={() => cancel.mutate()}>
            Cancel
          </Button>
        )
      }
    >
      <Group gap="sm">
        <SegmentedControl
          aria-label="Which maintenance"
          size="xs"
          value={kind}
          data={Object.keys(KINDS)}
          onChange={(value) => {
            setKind(value as MaintenanceKind);
            dryRun.reset();
          }}
        />
        <Button size="xs" variant="default" loading={dryRun.isPending} onClick={() => dryRun.mutate()}>
          See what it would do
        </Button>
        {dryRun.data?.plan && (
          <Button size="xs" loading={run.isPending} disabled={isBusy} onClick={() => run.mutate()}>
            Do it
          </Button>
        )}
      </Group>
      <small>{KINDS[kind]}.</small>
      {error && <ErrorNote error={error} />}
      {dryRun.data?.plan && <PlanView plan={dryRun.data.plan} />}
      {!hasAny && <p>None has ended yet.</p>}
      {hasAny && (
        <Loaded query={maintenance}>
          {(found) => (
            <>
              <Group gap="sm">
                <State tone={STATES[found.state]}>
                  {found.isCancelling ? "cancelling" : found.state.replace("_", " ")}
                </State>
                <span>
                  {found.kind}, <Time at={found.created_at} />
                  {found.durationMs !== null && (
                    <>
                      , took <Duration ms={found.durationMs} />
                    </>
                  )}
                </span>
              </Group>
              {found.waitingFor && <Alert color="blue">{found.waitingFor.message}</Alert>}
              {found.error && <ErrorNote error={new Error(found.error)} />}
              {found.progress && <ProgressView progress={found.progress} />}
              <MaintenanceLog
                integrationId={integrationId}
                maintenanceId={found.maintenanceId}
                isRunning={isActive(found)}
              />
            </>
          )}
        </Loaded>
      )}
    </Panel>
  );
}

function ProgressView({ progress: { steps, tables } }: { progress: Progress }) {
  return (
    <>
      <ListTable
        label="Steps"
        rows={steps}
        keyOf={({ step }) => step}
        columns={[
          { name: "Step", cell: ({ step }) => step },
          { name: "State", cell: ({ state }) => <State tone={STEP_TONES[state]}>{state}</State> },
          { name: "Done", isNumber: true, cell: ({ done }) => formatCount(done) },
          { name: "Files", isNumber: true, cell: ({ files }) => formatCount(files) },
          { name: "Bytes", isNumber: true, cell: ({ bytes }) => formatBytes(bytes) },
          { name: "Problem", cell: ({ error }) => error ?? "" },
        ]}
      />
      {tables.length > 0 && (
        <ListTable
          label="Tables"
          rows={tables}
          keyOf={({ schema, name, step }) => `${schema}.${name} ${step}`}
          columns={[
            { name: "Table", cell: ({ schema, name }) => `${schema}.${name}` },
            { name: "Step", cell: ({ step, state }) => `${step}: ${state.replace("_", " ")}` },
            {
              name: "Files",
              isNumber: true,
              cell: (t) => `${formatCount(t.filesBefore)} → ${formatCount(t.filesAfter)}`,
            },
            {
              name: "Bytes",
              isNumber: true,
              cell: (t) => `${formatBytes(t.bytesBefore)} → ${formatBytes(t.bytesAfter)}`,
            },
            { name: "Note", cell: ({ note }) => note ?? "" },
          ]}
        />
      )}
    </>
  );
}
