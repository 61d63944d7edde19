// One integration's syncs: what each brings and how it does, its runs, and what can be done to it.

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link, useLocation, useSearchParams } from "wouter";
import { api, bodyOf } from "../../../api/client.ts";
import { useMay } from "../../../api/me.ts";
import { Alert, Button, Group, SegmentedControl } from "../../../ui/controls.ts";
import { formatDuration } from "../../../ui/data/format.ts";
import { Time, useNow } from "../../../ui/data/values.tsx";
import { EmptyState, Loaded } from "../../../ui/feedback/states.tsx";
import { showToast } from "../../../ui/feedback/toasts.tsx";
import { ConfirmButton } from "../../../ui/forms/confirm-button.tsx";
import { Icon } from "../../../ui/icons.tsx";
import { Page, Panel } from "../../../ui/layout/page.tsx";
import { destinationOf, syncsQuery } from "../queries.ts";
import { SyncState } from "../sync-list.tsx";
import { scheduleText, type SyncSummary } from "../sync-state.ts";
import { RunList } from "./run-list.tsx";
import { SyncTables } from "./sync-tables.tsx";
import styles from "../syncs.module.css";
import { Fact } from "../fact.tsx";

const TICK_MS = 5_000;

export function SyncPage({ integrationId }: { integrationId: string }) {
  const [params, setParams] = useSearchParams();
  const syncs = useQuery(syncsQuery(integrationId));
  return (
    <Loaded query={syncs}>
      {({ data }) => {
        const sync = data.find(({ dest_schema }) => dest_schema === params.get("schema")) ?? data[0];
        if (!sync)
          return (
            <Page title="Sync" trail={<Link href="/syncs">Syncs</Link>}>
              <EmptyState title="This integration has no sync">It may have been deleted meanwhile.</EmptyState>
              <RunList integrationId={integrationId} />
            </Page>
          );
        return (
          <SyncView key={sync.id} sync={sync}>
            {data.length > 1 && (
              <SegmentedControl
                aria-label="Which sync"
                value={sync.dest_schema}
                data={data.map(({ dest_schema }) => dest_schema)}
                onChange={(schema) => setParams({ schema })}
              />
            )}
          </SyncView>
        );
      }}
    </Loaded>
  );
}

function SyncView({ sync, children }: { sync: SyncSummary; children: ReactNode }) {
  const now = useNow(TICK_MS);
  return (
    <Page
      title={`${sync.source_name ?? "Gone"} into ${sync.dest_schema}`}
      trail={<Link href="/syncs">Syncs</Link>}
      actions={<SyncActions sync={sync} />}
    >
      {children}
      {sync.problem && (
        <Alert color={sync.health === "failing" ? "red" : "yellow"} title="What is wrong">
          {sync.problem}
        </Alert>
      )}
      <Panel>
        <dl className={styles.facts}>
          <Fact title="State">
            <SyncState sync={sync} now={now} />
          </Fact>
          <Fact title="Data is">
            {sync.age_seconds === null ? "not there yet" : `${formatDuration(sync.age_seconds * 1_000)} old`}
          </Fact>
          <Fact title="Last success">
            <Time at={sync.last_success_at} />
          </Fact>
          <Fact title="Runs">{scheduleText(sync)}</Fact>
          <Fact title="Next run">
            <Time at={sync.next_run_at} never={sync.status === "paused" ? "paused" : "not due"} />
          </Fact>
          <Fact title="Late after">
            <Time at={sync.due_by} never="not due" />
          </Fact>
        </dl>
      </Panel>
      <RunList integrationId={sync.integration_id} syncId={sync.id} />
      <SyncTables sync={sync} />
    </Page>
  );
}

function SyncActions({ sync }: { sync: SyncSummary }) {
  const mayWrite = useMay("integrations:write");
  const cache = useQueryClient();
  const [, navigate] = useLocation();
  const params = { path: { integration_id: sync.integration_id }, query: destinationOf(sync) };
  const ifMatch = { "If-Match": `"${sync.version}"` };
  const refresh = () =>
    Promise.all([
      cache.invalidateQueries({ queryKey: ["syncs"] }),
      cache.invalidateQueries({ queryKey: ["sync-runs", sync.integration_id] }),
    ]);
  const onError = (error: Error) => {
    showToast(error.message, "bad");
    void refresh();
  };
  const run = useMutation({
    mutationFn: (full: boolean) =>
      bodyOf(api.POST("/v1/api/integrations/{integration_id}/syncs/run", { params, body: { full } })),
    onSuccess: async ({ run_id, waits_for }) => {
      if (waits_for) showToast("It is queued behind the run that is under way.");
      await refresh();
      navigate(`/syncs/${sync.integration_id}/runs/${run_id}`);
    },
    onError,
  });
  const setStatus = useMutation({
    mutationFn: (status: "active" | "paused") =>
      bodyOf(
        api.PATCH("/v1/api/integrations/{integration_id}/sync", {
          params: { ...params, header: ifMatch },
          body: { status },
        }),
      ),
    onSuccess: refresh,
    onError,
  });
  const remove = useMutation({
    mutationFn: () =>
      bodyOf(api.DELETE("/v1/api/integrations/{integration_id}/sync", { params: { ...params, header: ifMatch } })),
    onSuccess: async () => {
      navigate("/syncs");
      await refresh();
    },
    onError,
  });
  if (!mayWrite) return null;
  const isPaused = sync.status === "paused";
  return (
    <Group gap="xs">
      <Button
        size="xs"
        leftSection={<Icon name="play" size={14} />}
        loading={run.isPending}
        onClick={() => run.mutate(false)}
      >
        Run now
      </Button>
      <Button
        size="xs"
        variant="default"
        loading={setStatus.isPending}
        onClick={() => setStatus.mutate(isPaused ? "active" : "paused")}
      >
        {isPaused ? "Resume" : "Pause"}
      </Button>
      <Button
        size="xs"
        variant="default"
        component={Link}
        href={`/syncs/new?integration=${sync.integration_id}&schema=${encodeURIComponent(sync.dest_schema)}`}
      >
        Change
      </Button>
      <ConfirmButton
        question="The source is read from its first row to its last, whatever the lake has already. That can take long, and cost the source."
        verb="Read everything"
        onConfirm={() => run.mutate(true)}
      >
        Read in full
      </ConfirmButton>
      <ConfirmButton
        question="It runs no more. The tables that it brought stay in the lake as they are."
        verb="Delete the sync"
        isBusy={remove.isPending}
        onConfirm={() => remove.mutate()}
      >
        Delete
      </ConfirmButton>
    </Group>
  );
}
