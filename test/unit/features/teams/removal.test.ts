// The end of a team: who notices at once, what goes by and by, and what can't make any of it come back.

import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env as bindings } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { TEAM_LIMITS } from "../../../../src/features/teams/limits.ts";
import { newId } from "../../../../src/core/ids.ts";
import { sweepLakeRemovals } from "../../../../src/features/lakes/sweep-removals.ts";
import { removeLakeObjects } from "../../../../src/features/lakes/remove-objects.ts";
import { deleteTeam } from "../../../../src/features/teams/delete.ts";
import { removeTeam } from "../../../../src/features/teams/removal/remove-team.ts";
import { sweepTeamRemovals } from "../../../../src/features/teams/removal/sweep.ts";
import { openClients } from "../../../../src/clients/clients.ts";
import { TENANT_TABLES } from "../../../../src/platform/db/tenant-tables.ts";
import { openLake } from "../../../../src/lake/lake.ts";
import { refusesStrangers } from "../../../support/unit/access.ts";
import { newAutomationTeam, newJob, type AutomationTeam } from "../../../support/unit/automations.ts";
import { post } from "../../../support/unit/call-with.ts";
import { call } from "../../../support/unit/http.ts";
import { createTable, newWriter } from "../../../support/unit/lake.ts";
import { addCube, cubeFile, newCompiler } from "../../../support/unit/semantic/models.ts";
import { newTeam, scopeOf, type TestTeam } from "../../../support/unit/team.ts";

let sent: { kind: string; teamId: string; id: string }[] = [];
/** The Worker's own bindings, but for a queue that remembers what was sent. */
const queue = {
  send: async (body: never) => void sent.push(body),
  sendBatch: async (batch: { body: never }[]) => void sent.push(...batch.map(({ body }) => body)),
};
const env = { ...bindings, WAKE_UPS: queue, CLEANUP_WAKE_UPS: queue } as unknown as Env;
const clients = openClients(env);

let operator: TestTeam;
beforeAll(async () => {
  operator = await newTeam();
  await env.DB.prepare("update users set is_operator = 1 where id = ?").bind(operator.admin.id).run();
});
beforeEach(() => {
  sent = [];
  vi.spyOn(console, "log").mockImplementation(() => undefined);
});

const scope = () => scopeOf(operator.id, operator.admin.id, true);
const remove = (teamId: string) => deleteTeam({ ...clients, scope: scope() }, teamId);
const countRows = async (table: string, teamId: string): Promise<number> =>
  (await env.DB.prepare(`select count(*) as n from ${table} where team_id = ?`).bind(teamId).first<number>("n"))!;
const rowsOf = async (teamId: string): Promise<Record<string, number>> => {
  const counts = await Promise.all(
    [...TENANT_TABLES, "lake_removals", "team_removals"].map(
      async (table) => [table, await countRows(table, teamId)] as const,
    ),
  );
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
};
const objectsOf = async (teamId: string) => (await env.BUCKET.list({ prefix: `${teamId}/` })).objects.length;
const hasTeam = async (id: string) =>
  (await env.DB.prepare("select 1 from teams where id = ?").bind(id).first()) !== null;
const lakeOf = ({ id, lakeId }: AutomationTeam) => ({ teamId: id, lakeId, catalog: openLake(env, lakeId) });

/** Tables and keys of what an object stores; those of the runtime itself are left out. */
const stored = (stub: DurableObjectStub): Promise<unknown[]> =>
  runInDurableObject(stub as DurableObjectStub<never>, async (_, { storage }) => [
    ...storage.sql
      .exec("select name from sqlite_master where name not like '\\_cf\\_%' escape '\\'")
      .toArray()
      .map(({ name }) => name),
    ...(await storage.list()).keys(),
    ...((await storage.getAlarm()) === null ? [] : ["an alarm"]),
  ]);

const insertSyncRun = (teamId: string, state: string, id = newId()) =>
  env.DB.prepare(
    `insert into sync_runs (id, team_id, sync_id, source_id, lake_id, dest_schema, cause, is_full, state, attempt,
      refusals, due_at, deadline_at, rows_read, rows_written, rows_deleted, bytes_written, revision, started_at, created_at, updated_at)
      values (?1, ?2, ?1, ?1, ?1, 's', 'manual', 0, ?3, 1, 0, '2999', '2999', 0, 0, 0, 0, 1, ?4, '2026', '2026')`,
  )
    .bind(id, teamId, state, state === "queued" ? null : "2026")
    .run()
    .then(() => id);

const insertMaintenance = (teamId: string, state: string, id = newId()) =>
  env.DB.prepare(
    `insert into automation_runs (id, team_id, resource_type, resource_id, kind, cause, owner_id, attempts_max, backoff_seconds,
      timeout_seconds, state, attempt, refusals, due_at, deadline_at, revision, started_at, created_at, updated_at)
      values (?1, ?2, 'lake_integration_maintenance', ?1, 'full', 'manual', ?1, 1, 1, 1, ?3, 1, 0, '2999', '2999', 1, ?4, '2026', '2026')`,
  )
    .bind(id, teamId, state, state === "queued" ? null : "2026")
    .run()
    .then(() => id);

/** A saved query, and an endpoint of it with a key and a figure. */
async function publishQuery(key: string): Promise<void> {
  const made = async (path: string, body: object) => (await call("POST", path, { key, body })).body.data.id as string;
  const query_id = await made("/v4/queries", { name: "One", sql: "SELECT 1 AS one" });
  const role_id = await made("/v4/data-access/roles", { name: "Published" });
  const id = await made("/v4/endpoints", { name: "one", query_id, role_id });
  await made(`/v4/endpoints/${id}/keys`, { name: "k" });
  await env.DB.prepare(
    "insert into endpoint_rollups select team_id, id, 1, 1, 0, 0, 1, 1, 1, '{}' from endpoints where id = ?",
  )
    .bind(id)
    .run();
}

/** Something in most tables, in the bucket, in the catalog and in the log. */
async function newFullTeam() {
  const team = await newAutomationTeam();
  const key = team.admin.key;
  await newJob(team);
  const lake = lakeOf(team);
  const writer = await newWriter(lake);
  await writer.commit([createTable("main", "t")]);
  await call("PUT", "/v4/team/settings", { key, body: { sandbox_internet: true } });
  await call("POST", "/v1/store", { key, body: { name: "store", updates: { a: "b" } } });
  await call("POST", "/v1/api/secret", { key, body: { key: "A", value: "b" } });
  await call("POST", "/v3/drive/uploads", { key, body: { path: "big.bin" } });
  await newCompiler().put(team, await addCube(team, team.lakeId), [cubeFile("orders")]);
  await publishQuery(key);
  await insertSyncRun(team.id, "queued");
  await insertMaintenance(team.id, "queued");
  await clients.openLog(team.id).append("stream", [{ level: "info", message: "hello", attempt: 1 }]);
  await env.DB.prepare("insert into event_rollups values (?, 'query', 1, 1, 1, 1, 1, 1, '{}')").bind(team.id).run();
  await env.DB.prepare("insert into month_uses values (?, '2026-11', 1, 1)").bind(team.id).run();
  await clients.meter.openObject(team.id).used("2026-11");
  await env.BUCKET.put(`${team.id}/drive/file`, "x");
  await env.BUCKET.put(`${team.id}/runs/a/b`, "x");
  await env.BUCKET.put(`${team.id}/lake/${team.lakeId}/main/t/a.parquet`, "x");
  return { team, lake, writer };
}

/** All of a removal, with the lakes' own, at this time. */
async function finish(teamId: string, at: Date): Promise<string> {
  for (let step = 0; step < 100; step++) {
    await sweepLakeRemovals(clients, at);
    for (const { kind, ...subject } of sent.splice(0))
      if (kind === "lake_removal") await removeLakeObjects(clients, subject, at);
    const outcome = await removeTeam(clients, { teamId, id: teamId }, at);
    if (outcome !== "deleting") return outcome;
  }
  throw new Error("It never ends.");
}
const inTime = (ms: number) => new Date(Date.now() + ms);
const END_MS = TEAM_LIMITS.removalMs + 60_000;

refusesStrangers("deleteTeam", (key) => call("DELETE", `/v4/admin/teams/${newId()}`, { key }), {
  right: "platform:operate",
});

describe("deleteTeam", () => {
  it("answers 204, and from then on the team is nowhere found and its keys are nobody's", async () => {
    const team = await newTeam();
    expect((await call("GET", "/v4/me", { key: team.admin.key })).status).toBe(200);
    const path = `/v4/admin/teams/${team.id}`;
    expect((await call("DELETE", path, { key: operator.admin.key })).status).toBe(204);
    for (const key of [team.admin.key, team.member.key])
      expect((await call("GET", "/v4/me", { key })).status).toBe(401);
    for (const method of ["GET", "DELETE", "PATCH"])
      expect(
        (
          await call(method, path, {
            key: operator.admin.key,
            ...(method === "PATCH" ? { body: { plan: "free" } } : {}),
          })
        ).status,
      ).toBe(404);
    expect((await call("GET", `${path}/maintenance`, { key: operator.admin.key })).status).toBe(404);
    const listed = await call("GET", `/v4/admin/teams?search=${encodeURIComponent(team.name)}`, {
      key: operator.admin.key,
    });
    expect(listed.body.data.total).toBe(0);
    const health = await call("GET", `/v4/admin/lake/health?teamIds=${team.id}`, { key: operator.admin.key });
    expect(health.body.data.items).toEqual([]);
  });

  it("is audited in the operator's own team, which stays, with what the team was", async () => {
    const team = await newTeam();
    await remove(team.id);
    const event = await env.DB.prepare(
      "select team_id, actor_id, before from audit_events where action = 'team.delete' and subject_id = ?",
    )
      .bind(team.id)
      .first();
    expect(event).toMatchObject({ team_id: operator.id, actor_id: operator.admin.id });
    expect(JSON.parse(event!.before as string)).toMatchObject({ name: team.name, plan: "standard" });
  });

  it("answers 404 for a team that is not there, as for one that was", async () => {
    const [never, gone] = [newId(), (await newTeam()).id];
    await remove(gone);
    for (const id of [never, gone, "no-uuid"])
      expect((await call("DELETE", `/v4/admin/teams/${id}`, { key: operator.admin.key })).body.message).toBe(
        `Team ${id} was not found.`,
      );
  });

  it.each([["starting"], ["running"]])(
    "answers 409 while syncs or maintenance are %s, and names them",
    async (state) => {
      const team = await newTeam();
      const ids = [await insertSyncRun(team.id, state), await insertMaintenance(team.id, state)];
      const { status, body } = await call("DELETE", `/v4/admin/teams/${team.id}`, { key: operator.admin.key });
      expect([status, body.error.conflictsWith.sort()]).toEqual([409, ids.sort()]);
      for (const id of ids) expect(body.message).toContain(id);
      expect((await call("GET", "/v4/me", { key: team.admin.key })).status).toBe(200);
      expect(await countRows("team_removals", team.id)).toBe(0);
      expect(await countRows("integrations", team.id)).toBe(1);
      expect(
        await env.DB.prepare("select 1 from audit_events where action = 'team.delete' and subject_id = ?")
          .bind(team.id)
          .first(),
      ).toBeNull();
    },
  );

  it("answers 409 for a team in which an operator is, their own too", async () => {
    const { status } = await call("DELETE", `/v4/admin/teams/${operator.id}`, { key: operator.admin.key });
    expect(status).toBe(409);
    expect((await call("GET", "/v4/me", { key: operator.admin.key })).status).toBe(200);
  });

  it("buries a team once, of two that delete it at once", async () => {
    const team = await newTeam();
    const outcomes = await Promise.allSettled([remove(team.id), remove(team.id), remove(team.id)]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected", "rejected"]);
    const audited = await env.DB.prepare(
      "select count(*) as n from audit_events where action = 'team.delete' and subject_id = ?",
    )
      .bind(team.id)
      .first("n");
    expect(audited).toBe(1);
    expect(sent.filter(({ kind }) => kind === "team_removal")).toHaveLength(1);
  });

  it("lets a sync that begins between the look and the tombstone keep the team", async () => {
    const team = await newTeam();
    const [starts] = [vi.fn(() => insertSyncRun(team.id, "starting"))];
    const late = {
      ...env,
      DB: {
        prepare: (text: string) => env.DB.prepare(text),
        batch: async (statements: D1PreparedStatement[]) => {
          if (starts.mock.calls.length === 0) await starts();
          return env.DB.batch(statements);
        },
      } as unknown as D1Database,
    };
    await expect(deleteTeam({ ...openClients(late), scope: scope() }, team.id)).rejects.toMatchObject({
      code: "work_in_progress",
    });
    expect((await call("GET", "/v4/me", { key: team.admin.key })).status).toBe(200);
  });

  it("takes runs that wait along, so that a step or a late message of one finds nothing", async () => {
    const team = await newTeam();
    await insertSyncRun(team.id, "queued");
    await insertMaintenance(team.id, "queued");
    await remove(team.id);
    expect([await countRows("sync_runs", team.id), await countRows("automation_runs", team.id)]).toEqual([0, 0]);
  });
});

describe("a deleted team's tokens and keys", () => {
  it("open nothing to containers any more: neither commit, log, drive nor run", async () => {
    const { team, lake, writer } = await newFullTeam();
    const expiresAt = Date.now() + 60_000;
    const beat = () => post(`/jobs/${writer.token.jobId}/heartbeat`, { token: writer.token, body: {} });
    expect((await beat()).status).toBe(200);
    await remove(team.id);
    const refused = await Promise.all([
      beat(),
      post(`/jobs/${writer.token.jobId}/commit`, { token: writer.token }),
      post(`/jobs/${writer.token.jobId}/log`, { token: writer.token, body: { lines: [] } }),
      post(`/lakes/${lake.lakeId}/describe`, {
        token: { use: "lake", teamId: team.id, lakeId: lake.lakeId, snapshotId: 1, reader: "everything", expiresAt },
      }),
      post("/drive/list", { token: { use: "drive", teamId: team.id, expiresAt } }),
      post(`/runs/${newId()}/heartbeat`, { token: { use: "run", teamId: team.id, runId: newId(), expiresAt } }),
    ]);
    expect(refused.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401, 401]);
  });

  it("let nobody in who was added by a key that another isolate still remembered", async () => {
    const team = await newTeam();
    await remove(team.id);
    const { id: userId } = await env.DB.prepare(
      "insert into users (id, team_id, name, email, role, created_at, updated_at) values (?, ?, 'Late', 'late@example.com', 'admin', '', '') returning id",
    )
      .bind(newId(), team.id)
      .first<{ id: string }>()
      .then((row) => row!);
    const suffix = "A".repeat(32);
    const hash = [...new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(suffix)))];
    await env.DB.prepare(
      "insert into api_keys (id, team_id, user_id, name, suffix_hash, hint, created_at) values (?, ?, ?, 'k', ?, '', '')",
    )
      .bind(newId(), team.id, userId, hash.map((byte) => byte.toString(16).padStart(2, "0")).join(""))
      .run();
    expect((await call("GET", "/v4/me", { key: `${userId}-${suffix}` })).status).toBe(401);
  });
});

/** A report of what the team asked may come a second late: the meter's own alarm sees that the team is gone. */
const expectEmptyMeter = (teamId: string) =>
  vi.waitFor(
    async () => {
      const meter = clients.meter.openObject(teamId);
      await runDurableObjectAlarm(meter);
      expect(await stored(meter)).toEqual([]);
    },
    { timeout: 10_000, interval: 200 },
  );

describe("removeTeam", () => {
  it("leaves no row, object or storage of the team, and its neighbour as it was", async () => {
    const [{ team, lake }, neighbour] = [await newFullTeam(), await newFullTeam()];
    const before = [await rowsOf(neighbour.team.id), await objectsOf(neighbour.team.id)];
    expect(Object.keys(await rowsOf(team.id)).length).toBeGreaterThan(10);
    await remove(team.id);
    expect(sent.map(({ kind }) => kind).sort()).toEqual(["lake_removal", "team_removal"]);

    expect(await finish(team.id, new Date())).toBe("waiting");
    expect(await rowsOf(team.id)).toEqual({ lake_removals: 1, team_removals: 1 });
    expect(await objectsOf(team.id)).toBe(0);
    await finish(team.id, inTime(END_MS));
    expect(await finish(team.id, inTime(END_MS + TEAM_LIMITS.removalRetryMs))).toMatch(/done|gone/);

    expect(await rowsOf(team.id)).toEqual({});
    expect([await objectsOf(team.id), await hasTeam(team.id)]).toEqual([0, false]);
    expect(await stored(env.LOGS.get(env.LOGS.idFromName(team.id)))).toEqual([]);
    await expectEmptyMeter(team.id);
    expect(await stored(lake.catalog)).toEqual([]);
    expect(await stored(env.ENGINE.getByName(team.id))).toEqual([]);
    expect(await stored(env.SANDBOX.getByName(team.id))).toEqual([]);
    expect([
      await rowsOf(neighbour.team.id),
      await objectsOf(neighbour.team.id),
      await hasTeam(neighbour.team.id),
    ]).toEqual([...before, true]);
    expect((await clients.openLog(neighbour.team.id).read("stream", 0, 10)).lines).toHaveLength(1);
    expect(await neighbour.lake.catalog.currentSnapshot()).toEqual({ snapshotId: 1 });
    expect(await removeTeam(clients, { teamId: team.id, id: team.id })).toBe("gone");
  });

  it("takes away at its end what came late: rows, lakes, objects, lines and catalogs", async () => {
    const { team, lake } = await newFullTeam();
    await remove(team.id);
    expect(await finish(team.id, new Date())).toBe("waiting");
    // A request that had passed its checks before the tombstone would write this row.
    const late = newId();
    await env.DB.prepare(
      "insert into integrations (id, team_id, type, name, is_default, details, created_at, updated_at) values (?, ?, 'lake', 'Late', 0, '{}', '', '')",
    )
      .bind(late, team.id)
      .run();
    await env.DB.prepare(
      "insert into kv_stores (id, team_id, name, data, version_id, created_at, updated_at) values (?, ?, 's', '{}', '', '', '')",
    )
      .bind(newId(), team.id)
      .run();
    await env.BUCKET.put(`${team.id}/drive/late`, "x");
    await clients.openLog(team.id).append("stream", [{ level: "info", message: "late", attempt: 1 }]);
    await openLake(env, late).currentSnapshot();
    await lake.catalog.currentSnapshot();
    // The late lake has its own hour from when it was found.
    await finish(team.id, inTime(END_MS));
    expect(await hasTeam(team.id)).toBe(true);
    await finish(team.id, inTime(3 * END_MS));
    await finish(team.id, inTime(3 * END_MS));
    expect([await rowsOf(team.id), await objectsOf(team.id), await hasTeam(team.id)]).toEqual([{}, 0, false]);
    for (const stub of [openLake(env, late), lake.catalog, env.LOGS.get(env.LOGS.idFromName(team.id))])
      expect(await stored(stub as DurableObjectStub)).toEqual([]);
  });

  it("ends a team of 10,000 objects and 20,000 rows of a table, while the Worker dies twice, and nobody else's", async () => {
    const [{ team }, neighbour] = [await newFullTeam(), await newFullTeam()];
    await env.DB.prepare(
      `with recursive n (i) as (select 1 union all select i + 1 from n where i < 20000)
        insert into attempts (run_id, attempt, team_id, state, started_at) select 'run', i, ?, 'succeeded', '' from n`,
    )
      .bind(team.id)
      .run();
    const before = [await rowsOf(neighbour.team.id), await objectsOf(neighbour.team.id)];
    await remove(team.id);
    const keys = new Set(Array.from({ length: 10_000 }, (_, i) => `${team.id}/drive/${i}`));
    let calls = 0;
    const dying = openClients({
      ...env,
      // The bucket's part is played: ten thousand real objects take minutes to make.
      BUCKET: {
        list: async ({ prefix, limit }: R2ListOptions) => ({
          objects: [...keys]
            .filter((key) => key.startsWith(prefix!))
            .slice(0, limit)
            .map((key) => ({ key })),
          delimitedPrefixes: [],
          truncated: false,
        }),
        delete: async (gone: string[]) => {
          for (const key of gone) keys.delete(key);
          if ([3, 7].includes(++calls)) throw new Error("The Worker dies.");
        },
        resumeMultipartUpload: (key: string, id: string) => bindings.BUCKET.resumeMultipartUpload(key, id),
      } as unknown as R2Bucket,
    });
    const outcomes: string[] = [];
    for (let round = 0; round < 20 && outcomes.at(-1) !== "waiting"; round++)
      outcomes.push(await removeTeam(dying, { teamId: team.id, id: team.id }).catch(() => "died"));
    expect(outcomes.filter((outcome) => outcome === "died")).toHaveLength(2);
    expect(keys.size).toBe(0);
    expect(await rowsOf(team.id)).toEqual({ lake_removals: 1, team_removals: 1 });
    await finish(team.id, inTime(END_MS));
    await finish(team.id, inTime(END_MS + TEAM_LIMITS.removalRetryMs));
    expect([await rowsOf(team.id), await hasTeam(team.id)]).toEqual([{}, false]);
    expect([await rowsOf(neighbour.team.id), await objectsOf(neighbour.team.id)]).toEqual(before);
  });

  it("does nothing to a team that is not deleted, whatever a message says", async () => {
    const { team } = await newFullTeam();
    const before = [await rowsOf(team.id), await objectsOf(team.id)];
    expect(await removeTeam(clients, { teamId: team.id, id: team.id }, inTime(END_MS))).toBe("gone");
    expect([await rowsOf(team.id), await objectsOf(team.id)]).toEqual(before);
  });

  it("is woken by the sweep where its message was lost, once a round", async () => {
    const team = await newTeam();
    await remove(team.id);
    sent = [];
    expect((await sweepTeamRemovals(clients, inTime(1_000))).teamRemovalsWoken).toBeGreaterThan(0);
    expect(sent).toContainEqual({ kind: "team_removal", version: 1, teamId: team.id, id: team.id });
    expect(await sweepTeamRemovals(clients, inTime(1_000))).toEqual({ teamRemovalsWoken: 0 });
  });
});
