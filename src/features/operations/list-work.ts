import type { Page, PageOf } from "../../core/page.ts";
import type { Needs } from "../../clients/context.ts";
import type { RunKind } from "../work-model/kind.ts";
import { listWaiting } from "../work-model/waiting/list-waiting.ts";
import { NOT_WAITING, type Waited, type Waiting } from "../work-model/waiting/waiting.ts";
import { selectWork } from "./store.ts";
import { stateOf, type WorkFilter, type WorkItem, type WorkItemKind, type WorkRow } from "./work-item.ts";

export const FAILED_MS = 86_400_000;

/** Whose runs stand in which line; the others are begun at once, or wait for nothing but their time. */
const LINE_OF: Record<WorkItemKind, RunKind | null> = {
  sync: "sync_run",
  job: "automation_run",
  maintenance: "automation_run",
  doc: null,
  query: null,
  alert: null,
  message: null,
  removal: null,
};

/** A page of what runs, waits and has failed within a day, of all teams; newest first. */
export async function listWork(
  { scope, db }: Needs<"scope" | "db">,
  filter: WorkFilter,
  page: Page,
): Promise<PageOf<WorkItem>> {
  const now = scope.now;
  const failedSince = new Date(now.getTime() - FAILED_MS).toISOString();
  const { items, ...rest } = await selectWork(db, { ...filter, failedSince }, page);
  const waiting = new Map<string, Waiting>();
  for (const line of ["sync_run", "automation_run"] as const) {
    const runs = items.filter(({ kind }) => LINE_OF[kind] === line).map(waitedOf);
    const of = await listWaiting({ db }, line, { runs, now });
    for (const run of runs) waiting.set(run.id, of(run));
  }
  return { ...rest, items: items.map((row) => shown(row, waiting.get(row.id) ?? NOT_WAITING, now)) };
}

const msOf = (instant: string | null): number | null => (instant === null ? null : Date.parse(instant));

const waitedOf = ({ id, state, startedAt, refusals, dueAt, claimedUntil }: WorkRow): Waited => ({
  ...{ id, state, refusals },
  startedAtMs: msOf(startedAt),
  dueAtMs: Date.parse(dueAt),
  claimedUntilMs: msOf(claimedUntil),
});

const shown = (row: WorkRow, waiting: Waiting, now: Date): WorkItem => ({
  ...{ kind: row.kind, id: row.id, teamId: row.teamId, subjectId: row.subjectId },
  state: stateOf(row),
  ...{ attempt: row.attempt, error: row.error },
  ageSeconds: Math.max(0, Math.round((now.getTime() - Date.parse(row.createdAt)) / 1_000)),
  ...waiting,
  ...{ created_at: row.createdAt, startedAt: row.startedAt, endedAt: row.endedAt },
});
