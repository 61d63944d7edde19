// The start screen lists syncs and automations that need attention: those that fail, are late or run now. All well is
// said, too.

import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { api, bodyOf, dataOf } from "../../api/client.ts";
import { useMay } from "../../api/me.ts";
import type { components } from "../../api/schema.d.ts";
import { ListTable } from "../../ui/data/list-table.tsx";
import { State, Time, type Tone } from "../../ui/data/values.tsx";
import { ErrorNote, LoadingLines } from "../../ui/feedback/states.tsx";
import { Panel } from "../../ui/layout/page.tsx";

type Sync = components["schemas"]["SyncSummary"];
type Job = components["schemas"]["AutomationJob"];
type RunState = components["schemas"]["LastAutomationRun"]["state"];

const REFRESH_MS = 10_000;
const SHOWN_MAX = 100;

const SYNC_STATES: Record<Sync["health"], { tone: Tone; text: string } | undefined> = {
  ok: undefined,
  paused: undefined,
  failing: { tone: "bad", text: "failing" },
  stale: { tone: "warn", text: "late" },
  never_ran: { tone: "quiet", text: "never ran" },
};
const RUN_STATES: Record<RunState, { tone: Tone; text: string } | undefined> = {
  queued: { tone: "busy", text: "waiting" },
  running: { tone: "busy", text: "running" },
  failed: { tone: "bad", text: "failed" },
  timed_out: { tone: "bad", text: "timed out" },
  succeeded: undefined,
  cancelled: undefined,
  skipped: undefined,
};
const RUNNING = new Set(["queued", "starting", "running"]);

type Item = {
  id: string;
  href: string;
  what: string;
  kind: string;
  tone: Tone;
  state: string;
  at: string | null;
  why: string;
};

const ofSync = (sync: Sync): Item[] => {
  const run = sync.last_run;
  const isRunning = run !== null && RUNNING.has(run.state);
  const state = isRunning ? { tone: "busy" as const, text: run.state } : SYNC_STATES[sync.health];
  if (!state) return [];
  return [
    {
      id: sync.id,
      href: `/syncs/${sync.integration_id}`,
      what: sync.source_name ?? "an integration that is gone",
      kind: "Sync",
      tone: state.tone,
      state: state.text,
      at: run?.ended_at ?? run?.started_at ?? null,
      why: sync.problem ?? "",
    },
  ];
};

const ofJob = ({ id, name, lastRun }: Job): Item[] => {
  const state = lastRun ? RUN_STATES[lastRun.state] : undefined;
  if (!lastRun || !state) return [];
  const at = lastRun.endedAt ?? lastRun.startedAt;
  return [
    {
      id,
      href: `/automations/${id}`,
      what: name,
      kind: "Automation",
      tone: state.tone,
      state: state.text,
      at,
      why: lastRun.error ?? "",
    },
  ];
};

const URGENCY: Record<Tone, number> = { bad: 0, warn: 1, busy: 2, quiet: 3, good: 4 };

export function NeedsAttention() {
  const maySyncs = useMay("integrations:read");
  const mayJobs = useMay("jobs:read");
  const syncs = useQuery({
    queryKey: ["syncs", "attention"],
    queryFn: () => bodyOf(api.GET("/v1/api/syncs", { params: { query: { limit: SHOWN_MAX } } })),
    enabled: maySyncs,
    refetchInterval: REFRESH_MS,
  });
  const jobs = useQuery({
    queryKey: ["jobs", "attention"],
    queryFn: () => dataOf(api.GET("/v4/automations/jobs", { params: { query: { limit: SHOWN_MAX } } })),
    enabled: mayJobs,
    refetchInterval: REFRESH_MS,
  });
  const error = syncs.error ?? jobs.error;
  const isPending = (maySyncs && syncs.isPending) || (mayJobs && jobs.isPending);
  const items = [...(syncs.data?.data ?? []).flatMap(ofSync), ...(jobs.data?.items ?? []).flatMap(ofJob)].sort(
    (a, b) => URGENCY[a.tone] - URGENCY[b.tone],
  );
  return (
    <Panel title="Now">
      {error && <ErrorNote error={error} />}
      {isPending && <LoadingLines lines={2} />}
      {!error && !isPending && items.length === 0 && (
        <p>
          <State tone="good">all well</State> Nothing runs, nothing failed, nothing is late.
        </p>
      )}
      {items.length > 0 && (
        <ListTable
          label="What needs attention"
          rows={items}
          keyOf={({ id }) => id}
          columns={[
            { name: "What", cell: ({ href, what }) => <Link href={href}>{what}</Link> },
            { name: "Kind", cell: ({ kind }) => kind },
            { name: "State", cell: ({ tone, state }) => <State tone={tone}>{state}</State> },
            { name: "Since", cell: ({ at }) => <Time at={at} never="" /> },
            { name: "Why", cell: ({ why }) => why },
          ]}
        />
      )}
    </Panel>
  );
}
