// A team with an alert webhook, over the real database, with a receiver and a clock that a test has in its hands.

import { env } from "cloudflare:workers";
import { newId } from "../../../../src/core/ids.ts";
import { deliverAlert } from "../../../../src/features/alerts/deliveries/deliver.ts";
import { sweepAlerts } from "../../../../src/features/alerts/episodes/sweep.ts";
import { setAlertWebhook } from "../../../../src/features/alerts/webhook/set.ts";
import type { FailedTest } from "../../../../src/platform/db/schema/schema.ts";
import { openClients } from "../../../../src/clients/clients.ts";
import type { WebhookAnswer, WebhookRequest } from "../../../../src/platform/webhooks/send-webhook.ts";
import { newWorld } from "../../../support/unit/work-model/sync-world.ts";
import { scopeOf } from "../../../support/unit/team.ts";

const MINUTE_MS = 60_000;

export type AlertWorld = Awaited<ReturnType<typeof newAlertWorld>>;
type Sent = { type: string; timestamp: string; data: Record<string, unknown> };
type RunEnd = { state: string; error?: string; onlyTables?: string[]; endedAt?: string };

/** Time stands still until it is moved. */
export async function newAlertWorld({ url = "https://alerts.example.com/fjord" } = {}) {
  const syncWorld = await newWorld();
  const { teamId } = syncWorld;
  const sent: { request: WebhookRequest; at: Date }[] = [];
  const world = {
    ...syncWorld,
    nowMs: Date.parse("2100-01-01T00:00:00Z"),
    answer: (): WebhookAnswer | Promise<WebhookAnswer> => ({ status: 204 }),
    sent,
    secret: "",
    now: () => new Date(world.nowMs),
    pass: (minutes: number) => void (world.nowMs += minutes * MINUTE_MS),
    clients: {
      ...openClients(env),
      wakeUps: { send: async () => true, sendAll: async (_: string, all: readonly unknown[]) => all.length },
      async sendWebhook(request: WebhookRequest) {
        sent.push({ request, at: world.now() });
        return world.answer();
      },
    },
    scope: () => ({ ...scopeOf(teamId, newId(), false), now: world.now() }),
    /** The sync, as it was configured just now; nothing has run. */
    newSync: (rest: Parameters<typeof syncWorld.addSync>[0] = {}) =>
      syncWorld.addSync({ createdAt: world.now().toISOString(), updatedAt: world.now().toISOString(), ...rest }),
    async newJob({ cron = "0 * * * *" as string | null, enabled = true } = {}): Promise<{ id: string }> {
      const [id, at] = [newId(), world.now().toISOString()];
      await env.DB.prepare(
        `insert into automation_jobs (id, team_id, name, name_folded, is_enabled, resource_type, resource_id, kind, cron, timezone, attempts_max,
           backoff_seconds, timeout_seconds, overlap, owner_id, revision, created_at, updated_at)
         values (?1, ?2, 'Nightly', 'nightly', ?3, 'lake_integration_maintenance', ?1, 'daily', ?4, ?5, 3, 60, 600, 'skip', ?2, 1, ?6, ?6)`,
      )
        .bind(id, teamId, enabled ? 1 : 0, cron, cron && "UTC", at)
        .run();
      return { id };
    },
    async endSyncRun(sync: { id: string }, { state, error, onlyTables, endedAt }: RunEnd): Promise<string> {
      const id = newId();
      await env.DB.prepare(
        `insert into sync_runs (id, team_id, sync_id, source_id, lake_id, dest_schema, cause, is_full, only_tables, state, attempt, refusals, due_at,
           deadline_at, error, rows_read, rows_written, rows_deleted, bytes_written, revision, started_at, ended_at, created_at, updated_at)
         values (?1, ?2, ?3, ?4, ?5, 's', 'schedule', 0, ?6, ?7, 1, 0, ?8, ?8, ?9, 0, 0, 0, 0, 1, ?8, ?10, ?8, ?8)`,
      )
        .bind(
          ...[
            id,
            teamId,
            sync.id,
            syncWorld.sourceId,
            syncWorld.lakeId,
            onlyTables ? JSON.stringify(onlyTables) : null,
          ],
          ...[state, world.now().toISOString(), error ?? null],
          state === "running" ? null : (endedAt ?? world.now().toISOString()),
        )
        .run();
      return id;
    },
    async endJobRun(job: { id: string }, { state, error }: RunEnd): Promise<string> {
      const [id, at] = [newId(), world.now().toISOString()];
      await env.DB.prepare(
        `insert into automation_runs (id, team_id, automation_id, resource_type, resource_id, kind, cause, owner_id, attempts_max, backoff_seconds,
           timeout_seconds, state, attempt, refusals, due_at, deadline_at, error, revision, started_at, ended_at, created_at, updated_at)
         values (?1, ?2, ?3, 'lake_integration_maintenance', ?3, 'daily', 'schedule', ?2, 3, 60, 600, ?4, 1, 0, ?5, ?5, ?6, 1, ?5, ?7, ?5, ?5)`,
      )
        .bind(id, teamId, job.id, state, at, error ?? null, state === "running" ? null : at)
        .run();
      return id;
    },
    /** A run of the job, which runs a doc: the doc's run, and the tests of its tables that failed in it. */
    async endBuildRun(job: { id: string }, state: string, failed: FailedTest[]): Promise<string> {
      const [runId, docRunId, at] = [await world.endJobRun(job, { state }), newId(), world.now().toISOString()];
      await env.DB.batch([
        env.DB.prepare("update automation_jobs set resource_type = 'doc', kind = null where id = ?").bind(job.id),
        env.DB.prepare(
          `insert into attempts (run_id, attempt, team_id, state, job_id, started_at) values (?1, 1, ?2, ?3, ?4, ?5)`,
        ).bind(runId, teamId, state, docRunId, at),
        env.DB.prepare(
          `insert into doc_runs (id, team_id, doc_id, doc_name, doc_version, cause, user_id, key_hash, state, lease_until,
             deadline_at, created_at, failed_tests)
           values (?1, ?2, ?3, 'Shop', 1, 'schedule', ?2, '', ?4, ?5, ?5, ?5, ?6)`,
        ).bind(docRunId, teamId, job.id, state, at, failed.length > 0 ? JSON.stringify(failed) : null),
      ]);
      return runId;
    },
    sweep: () => sweepAlerts(world.clients, world.now()),
    async due(): Promise<{ teamId: string; id: string }[]> {
      const { results } = await env.DB.prepare(
        "select id, team_id as teamId from alert_deliveries where team_id = ?1 and ended_at is null and due_at <= ?2 order by id",
      )
        .bind(teamId, world.now().toISOString())
        .all<{ teamId: string; id: string }>();
      return results;
    },
    /** A tick, and the attempts that are due after it. Answers what was sent by them. */
    async tick(): Promise<Sent[]> {
      await world.sweep();
      const before = sent.length;
      for (const due of await world.due()) await deliverAlert(world.clients, due, world.now);
      return sent.slice(before).map(({ request }) => JSON.parse(request.body) as Sent);
    },
    types: async (): Promise<string[]> => (await world.tick()).map(({ type }) => type),
    deliveries: async () =>
      (
        await env.DB.prepare("select * from alert_deliveries where team_id = ? order by created_at, id")
          .bind(teamId)
          .all<{ id: string; type: string; state: string; attempts: number; error: string | null; due_at: string }>()
      ).results,
    episodes: async () =>
      (await env.DB.prepare("select * from alert_episodes where team_id = ? order by opened_at, id").bind(teamId).all())
        .results,
  };
  const set = await setAlertWebhook({ ...world.clients, scope: world.scope() }, { url });
  world.secret = set.secret ?? "";
  return world;
}
