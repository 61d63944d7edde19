import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { newId } from "../../../../src/core/ids.ts";
import { findWorkRun, saveStep } from "../../../../src/features/work-model/store.ts";
import { openDb } from "../../../../src/platform/db/client.ts";
import { syncRuns } from "../../../../src/platform/db/schema/schema.ts";
import { newTeam } from "../../../support/unit/team.ts";

it("counts a run's end once, whichever of several steps records it", async () => {
  const db = openDb(env.DB);
  const name = { teamId: (await newTeam()).id, id: newId() };
  const [startedAt, endedAt] = [new Date("2100-01-01T00:00:00Z"), new Date("2100-01-01T00:00:42Z")];
  const at = startedAt.toISOString();
  await env.DB.batch([
    env.DB.prepare(
      `insert into sync_runs (id, team_id, sync_id, source_id, lake_id, dest_schema, cause, is_full, state, attempt, refusals, due_at, deadline_at,
         rows_read, rows_written, rows_deleted, bytes_written, revision, started_at, created_at, updated_at)
       values (?1, ?2, ?1, ?1, ?1, 's', 'manual', 0, 'running', 1, 0, ?3, ?3, 0, 0, 0, 0, 1, ?3, ?3, ?3)`,
    ).bind(name.id, name.teamId, at),
    env.DB.prepare(
      "insert into attempts (run_id, attempt, team_id, state, started_at) values (?, 1, ?, 'running', ?)",
    ).bind(name.id, name.teamId, at),
  ]);
  const seen = (await findWorkRun(db, syncRuns, name))!;
  const next = { ...seen, state: "succeeded" as const, workId: null };
  const attempt = { kind: "end", attempt: 1, state: "succeeded", error: null } as const;
  const save = () => saveStep(db, syncRuns, seen, { next, now: endedAt, attempt });
  const saved = await Promise.all([save(), save(), save()]);
  expect(saved.filter((step) => step !== undefined)).toHaveLength(1);
  const counted = env.DB.prepare(
    "select type, count, sum_ms from event_rollups where team_id = ? order by span_minutes",
  ).bind(name.teamId);
  const once = { type: "sync_run", count: 1, sum_ms: 42_000 };
  expect((await counted.all()).results).toEqual([once, once]);
});
