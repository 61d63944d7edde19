import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { intervalMs, SCHEDULES } from "../../../../src/core/schedule/schedule.ts";
import { refusesStrangers } from "../../../support/unit/access.ts";
import { newWriter } from "../../../support/unit/lake.ts";
import { addSource, newSyncTeam } from "../../../support/unit/sync-team.ts";
import { call } from "../../../support/unit/http.ts";
import { callWith } from "../../../support/unit/call-with.ts";
import { postgresCredentials } from "../../../support/unit/databases.ts";
import { newTeam } from "../../../support/unit/team.ts";

const anyId = () => `/v1/api/integrations/${crypto.randomUUID()}`;
const BODY = { dest_schema: "shop", schedule: "hourly", tables: ["public.orders"] };
refusesStrangers("configureSync", (key) => call("POST", `${anyId()}/sync`, { key, body: BODY }), {
  right: "integrations:write",
});
refusesStrangers("getSync", (key) => call("GET", `${anyId()}/sync`, { key }), { right: "integrations:read" });
refusesStrangers("updateSync", (key) => call("PATCH", `${anyId()}/sync`, { key, body: { status: "paused" } }), {
  right: "integrations:write",
});
refusesStrangers("deleteSync", (key) => call("DELETE", `${anyId()}/sync`, { key }), { right: "integrations:write" });

const audited = async (teamId: string) =>
  (
    await env.DB.prepare("SELECT action FROM audit_events WHERE team_id = ? AND action LIKE 'sync%' ORDER BY id")
      .bind(teamId)
      .all<{ action: string }>()
  ).results.map(({ action }) => action);
const pointersOf = ({ body: { error } }: { body: { error: { flaws: { pointer: string }[] } } }) =>
  error.flaws.map(({ pointer }) => pointer);

describe("configureSync", () => {
  it("echoes what was asked for with its id and times, and starts the first run at once", async () => {
    const { configure, api, sourceId, lakeId, wakeUps, team } = await newSyncTeam();
    const { status, body: answer } = await configure({
      tables: ["public.orders", "public.items"],
      load_method: "overwrite",
    });
    expect({ status, answer }).toMatchObject({
      status: 200,
      answer: {
        success: true,
        sync_config: {
          integration_id: sourceId,
          dest_integration_id: lakeId,
          dest_schema: "shop",
          schedule: "hourly",
          tables: ["public.orders", "public.items"],
          load_method: "overwrite",
          cursors: {},
          append_full_rows: false,
          status: "active",
          tables_expanded: ["public.orders", "public.items"],
        },
        notes: [],
      },
    });
    const { next_run_at: next, created_at: created } = answer.sync_config;
    expect(Date.parse(next) - Date.parse(created)).toBeGreaterThan(0);
    expect(Date.parse(next) - Date.parse(created)).toBeLessThanOrEqual(intervalMs("hourly"));
    expect(wakeUps).toEqual([{ kind: "sync_run", version: 1, teamId: team.id, id: answer.run_id }]);
    expect((await api("GET", `/syncs/${answer.run_id}`)).body.run).toMatchObject({
      status: "STARTED",
      details: { cause: "configuration", state: "queued", full: false, tables: null },
    });
    const { tables_expanded: _, ...kept } = answer.sync_config;
    expect((await api("GET", "/sync", undefined, team.member.key)).body.sync_config).toEqual(kept);
    expect(await audited(team.id)).toEqual(["sync.configure"]);
  });

  it("merges into the team's own lake unless told otherwise, and knows every schedule", async () => {
    for (const schedule of SCHEDULES) {
      const { configure, lakeId } = await newSyncTeam();
      expect((await configure({ schedule })).body.sync_config).toMatchObject({
        schedule,
        load_method: "merge",
        dest_integration_id: lakeId,
      });
    }
  });

  it("takes all tables of a schema for a star, but views only by name", async () => {
    const { configure } = await newSyncTeam();
    expect((await configure({ tables: ["public.*"] })).body.sync_config).toMatchObject({
      tables: ["public.*"],
      tables_expanded: ["public.orders", "public.items", "public.tags"],
    });
    expect((await configure({ tables: ["public.recent"] })).body.sync_config.tables_expanded).toEqual([
      "public.recent",
    ]);
  });

  it("refuses wrong and missing tables at once, by name, and stores nothing", async () => {
    const { configure, api } = await newSyncTeam();
    const answer = await configure({ tables: ["public.orders", "public.nope", "orders", "nowhere.*"] });
    expect(answer).toMatchObject({
      status: 422,
      body: { error: { code: "validation_failed" }, message: expect.stringMatching(/public\.nope.*orders.*nowhere/) },
    });
    expect(pointersOf(answer)).toEqual(["/tables/1", "/tables/2", "/tables/3"]);
    expect((await api("GET", "/sync")).status).toBe(404);
    expect((await api("GET", "/syncs")).body.data).toEqual([]);
  });

  it("refuses two tables of one name, naming both", async () => {
    const { configure } = await newSyncTeam();
    expect(await configure({ tables: ["public.*", "sales.*"] })).toMatchObject({
      status: 422,
      body: { message: expect.stringMatching(/public\.orders and sales\.orders/) },
    });
  });

  it("refuses a table that belongs to another sync, and claims none of the others", async () => {
    const { configure, team, bindings, catalog } = await newSyncTeam();
    const first = await configure();
    const other = `/v1/api/integrations/${await addSource(team)}/sync`;
    const refused = await callWith(bindings, "POST", other, {
      key: team.admin.key,
      body: { ...BODY, tables: ["public.items", "public.orders"] },
    });
    expect(refused).toMatchObject({
      status: 409,
      body: {
        error: { code: "resource_conflict" },
        message: expect.stringMatching(new RegExp(`shop\\.orders belongs to the sync ${first.body.sync_config.id}`)),
      },
    });
    expect((await catalog.ownerOf("shop", "items")) ?? undefined).toBeUndefined();
    expect(
      (await callWith(bindings, "POST", other, { key: team.admin.key, body: { ...BODY, tables: ["public.items"] } }))
        .status,
    ).toBe(200);
  });

  it.each([
    ["no tables", { tables: [] }, ["/tables"]],
    ["another schedule", { schedule: "yearly" }, ["/schedule"]],
    ["another load method", { load_method: "upsert" }, ["/load_method"]],
    ["a field it does not know", { more: 1 }, ["/more"]],
    ["a schema of the system", { dest_schema: "information_schema" }, ["/dest_schema"]],
    [
      "cursors of other tables and columns",
      { cursors: { "public.items": "id", "public.orders": "nope" } },
      ["/cursors/public.items", "/cursors/public.orders"],
    ],
    [
      "cursors with an overwrite",
      { load_method: "overwrite", cursors: { "public.orders": "id" } },
      ["/cursors/public.orders"],
    ],
  ])("refuses %s", async (_, rest, pointers) => {
    const { configure } = await newSyncTeam();
    const answer = await configure(rest);
    expect([answer.status, pointersOf(answer)]).toEqual([422, pointers]);
  });

  it("asks for the tables of a database", async () => {
    const { api } = await newSyncTeam();
    expect(pointersOf(await api("POST", "/sync", { dest_schema: "shop", schedule: "hourly" }))).toEqual(["/tables"]);
  });

  it("appends by a cursor it states, and without one by what the lake does not have", async () => {
    const { configure } = await newSyncTeam();
    expect((await configure({ load_method: "append" })).body.sync_config.cursors).toEqual({ "public.orders": "id" });
    const guess = { load_method: "append", tables: ["public.orders", "public.tags"] };
    expect((await configure(guess)).body).toMatchObject({
      sync_config: { cursors: { "public.orders": "id" }, append_full_rows: false },
      notes: [expect.stringMatching(/public\.tags has no column that surely tells new rows/)],
    });
    const full = await configure({ ...guess, append_full_rows: true });
    expect(full.body).toMatchObject({
      sync_config: { cursors: { "public.orders": "id" }, append_full_rows: true },
      notes: [expect.stringMatching(/public\.tags/)],
    });
  });

  it("says plainly what a merge by a cursor can't see, and which tables are replaced each time", async () => {
    const { configure } = await newSyncTeam();
    const { notes } = (
      await configure({ tables: ["public.orders", "public.tags"], cursors: { "public.orders": "id" } })
    ).body;
    expect(notes).toEqual([
      expect.stringMatching(/deleted rows, are not seen/),
      expect.stringMatching(/public\.tags has no primary key/),
    ]);
  });

  it("goes to a lake of the team only", async () => {
    const { configure, sourceId } = await newSyncTeam();
    const theirs = await newSyncTeam();
    for (const id of [theirs.lakeId, crypto.randomUUID(), "lake"]) {
      expect(await configure({ dest_integration_id: id })).toMatchObject({
        status: 404,
        body: { message: `Integration ${id} was not found.` },
      });
    }
    expect(await configure({ dest_integration_id: sourceId })).toMatchObject({
      status: 422,
      body: { error: { flaws: [{ pointer: "/dest_integration_id" }] } },
    });
  });

  it("reads no lake", async () => {
    const { lakeId, team, bindings } = await newSyncTeam();
    expect(
      await callWith(bindings, "POST", `/v1/api/integrations/${lakeId}/sync`, { key: team.admin.key, body: BODY }),
    ).toMatchObject({ status: 422, body: { error: { flaws: [{ pointer: "/path/integration_id" }] } } });
  });

  it("says so when the engine can't reach the source", async () => {
    const { team, sourceId } = await newSyncTeam();
    const ENGINE = {
      getByName: () => ({ fetch: async () => new Response("no container", { status: 503 }) }),
    } as unknown as Env["ENGINE"];
    expect(
      await callWith({ ENGINE }, "POST", `/v1/api/integrations/${sourceId}/sync`, { key: team.admin.key, body: BODY }),
    ).toMatchObject({ status: 503, body: { error: { code: "engine_unavailable", retryable: true } } });
  });
});

describe("a second configuration", () => {
  it("of the same source and schema takes the place of the first, and frees what it no longer names", async () => {
    const { configure, api, catalog } = await newSyncTeam();
    const first = await configure({ tables: ["public.orders", "public.items"] });
    const second = await configure({ dest_schema: "SHOP", schedule: "daily", tables: ["public.items"] });
    expect(second.body.sync_config).toMatchObject({
      id: first.body.sync_config.id,
      schedule: "daily",
      dest_schema: "shop",
      created_at: first.body.sync_config.created_at,
    });
    expect((await api("GET", "/sync")).body.sync_config).toMatchObject({ tables: ["public.items"] });
    expect([(await catalog.ownerOf("shop", "items"))?.owner, (await catalog.ownerOf("shop", "orders"))?.owner]).toEqual(
      [`sync:${first.body.sync_config.id}`, undefined],
    );
  });

  it("forgets what was remembered of tables that are anybody's now, so that one that comes back is read in full", async () => {
    const { configure, catalog, lakeId, team } = await newSyncTeam();
    const { id } = (await configure({ tables: ["public.orders", "public.items"] })).body.sync_config;
    const keys = ["public.orders", "public.items", "public.items2"].map((path) => `sync/${id}/${path}`);
    await (await newWriter({ teamId: team.id, lakeId, catalog })).commit([], {
      state: keys.map((key) => ({ key, value: "1" })),
    });
    await configure({ tables: ["public.items"] });
    expect(Object.values(await catalog.notesOf(keys))).toEqual([null, "1", null]);
  });

  it("that changes what is copied cancels the run under way, and answers the one that follows", async () => {
    const { configure, api, wakeUps } = await newSyncTeam();
    const runs = [
      await configure(),
      await configure({ tables: ["public.items"] }),
      await configure({ tables: ["public.orders"] }),
    ].map(({ body }) => body.run_id);
    expect(new Set(runs).size).toBe(3);
    const reasons = await Promise.all(
      runs.map((id) =>
        env.DB.prepare("SELECT cancel_reason FROM sync_runs WHERE id = ?").bind(id).first("cancel_reason"),
      ),
    );
    expect(reasons).toEqual(["The sync was configured anew.", "The sync was configured anew.", null]);
    expect(wakeUps.map(({ id }) => id)).toEqual([runs[0], runs[0], runs[1], runs[1], runs[2]]);
    expect((await api("GET", "/syncs")).body.data.map(({ id }: { id: string }) => id)).toEqual(runs.toReversed());
    expect((await api("POST", "/syncs/run")).body.run_id).toBe(runs[2]);
  });

  it("that copies the same leaves the run under way alone", async () => {
    const { configure } = await newSyncTeam();
    const first = await configure();
    const second = await configure({ schedule: "weekly" });
    expect(second.body.run_id).toBe(first.body.run_id);
    expect(
      await env.DB.prepare("SELECT cancel_reason FROM sync_runs WHERE id = ?").bind(first.body.run_id).first(),
    ).toEqual({ cancel_reason: null });
  });

  it("at the same time as another is one sync, and the other is told", async () => {
    const { configure, api } = await newSyncTeam();
    const answers = await Promise.all([configure({ schedule: "daily" }), configure({ schedule: "weekly" })]);
    for (const { status } of answers) expect([200, 409]).toContain(status);
    expect(answers.some(({ status }) => status === 200)).toBe(true);
    expect((await api("GET", "/sync")).status).toBe(200);
  });

  it("at the same time as the first is one sync too, which owns the table, and nothing is left of the other", async () => {
    const { configure, sourceId, catalog } = await newSyncTeam();
    await Promise.all([configure(), configure(), configure()]);
    const kept = await env.DB.prepare("SELECT id, status FROM syncs WHERE source_id = ?")
      .bind(sourceId)
      .all<{ id: string; status: string }>();
    expect(kept.results).toEqual([{ id: expect.any(String), status: "active" }]);
    expect(await catalog.ownerOf("shop", "orders")).toMatchObject({ owner: `sync:${kept.results[0]!.id}` });
  });
});

describe("an integration with several syncs", () => {
  it("asks which is meant, naming them", async () => {
    const { configure, api } = await newSyncTeam();
    await configure();
    await configure({ dest_schema: "other", tables: ["public.items"] });
    for (const [method, sent] of [
      ["GET", undefined],
      ["PATCH", { status: "paused" }],
      ["DELETE", undefined],
    ] as const) {
      expect(await api(method, "/sync", sent)).toMatchObject({
        status: 422,
        body: { message: expect.stringMatching(/shop, other/), error: { flaws: [{ pointer: "/query/dest_schema" }] } },
      });
    }
    expect((await api("GET", "/sync?dest_schema=other")).body.sync_config).toMatchObject({ tables: ["public.items"] });
    expect((await api("GET", "/sync?dest_schema=OTHER")).body.sync_config).toMatchObject({ tables: ["public.items"] });
    expect((await api("GET", "/sync?dest_schema=third")).status).toBe(404);
    expect((await api("POST", "/syncs/run?dest_schema=shop")).status).toBe(202);
    expect((await api("DELETE", "/sync?dest_schema=shop")).status).toBe(204);
    expect((await api("GET", "/sync")).body.sync_config).toMatchObject({ dest_schema: "other" });
  });

  it("tells schemas apart as a lake does: É is not é", async () => {
    const { configure, api } = await newSyncTeam();
    await configure({ dest_schema: "É" });
    await configure({ dest_schema: "é", tables: ["public.items"] });
    for (const [schema, tables] of [
      ["É", ["public.orders"]],
      ["é", ["public.items"]],
    ] as const)
      expect((await api("GET", `/sync?dest_schema=${encodeURIComponent(schema)}`)).body.sync_config).toMatchObject({
        dest_schema: schema,
        tables,
      });
  });
});

describe("updateSync", () => {
  it("pauses and resumes the schedule, once each", async () => {
    const { configure, api, team } = await newSyncTeam();
    await configure();
    for (let again = 0; again < 2; again++) {
      expect((await api("PATCH", "/sync", { status: "paused" })).body.sync_config).toMatchObject({
        status: "paused",
        next_run_at: null,
      });
    }
    expect((await api("PATCH", "/sync", { status: "active" })).body.sync_config).toMatchObject({
      status: "active",
      next_run_at: expect.any(String),
    });
    expect(await audited(team.id)).toEqual(["sync.configure", "sync.pause", "sync.resume"]);
    expect((await api("PATCH", "/sync", { status: "removing" })).status).toBe(422);
  });
});

describe("the ETag of a sync", () => {
  const newVersioned = async () => {
    const world = await newSyncTeam();
    const send = (method: string, version: string | undefined, body?: object) =>
      callWith(world.bindings, method, `${world.base}/sync`, {
        ...{ key: world.team.admin.key, body },
        headers: version === undefined ? {} : { "if-match": version },
      });
    return { ...world, send };
  };
  const OTHER = { ...BODY, tables: ["public.items"] };

  it("is its version, and If-Match keeps a change away that was made of another", async () => {
    const { configure, send, team } = await newVersioned();
    expect((await send("POST", '"1"', BODY)).status).toBe(412);
    const made = await configure();
    expect([made.headers.get("etag"), made.body.sync_config.version]).toEqual(['"1"', 1]);
    expect((await send("GET", undefined)).headers.get("etag")).toBe('"1"');
    expect((await send("PATCH", '"1"', { status: "paused" })).headers.get("etag")).toBe('"2"');

    for (const [method, body] of [["POST", OTHER], ["PATCH", { status: "active" }], ["DELETE"]] as const)
      expect(await send(method, '"1"', body)).toMatchObject({
        status: 412,
        body: { error: { code: "precondition_failed" }, message: expect.stringContaining("version 2") },
      });
    expect((await send("GET", undefined)).body.sync_config).toMatchObject({ status: "paused", tables: BODY.tables });
    expect(await audited(team.id)).toEqual(["sync.configure", "sync.pause"]);

    expect((await send("POST", '"2"', OTHER)).headers.get("etag")).toBe('"3"');
    expect((await send("DELETE", '"3"')).status).toBe(204);
  });

  it("lets one of two changes through that were made of the same version", async () => {
    const { configure, send } = await newVersioned();
    await configure();
    const twins = await Promise.all([
      send("PATCH", '"1"', { status: "paused" }),
      send("POST", '"1"', OTHER),
      send("DELETE", '"1"'),
    ]);
    const refused = twins.filter(({ status }) => status === 412 || status === 404);
    expect(refused).toHaveLength(2);
  });
});

describe("deleteSync", () => {
  it("cancels the run under way, keeps the history, and frees the tables once the run has ended", async () => {
    const { configure, api, catalog, wakeUps, team } = await newSyncTeam();
    const { run_id: runId } = (await configure()).body;
    wakeUps.length = 0;
    expect((await api("DELETE", "/sync")).status).toBe(204);
    expect((await api("DELETE", "/sync")).status).toBe(404);
    expect((await api("GET", "/sync")).status).toBe(404);
    expect(wakeUps.map(({ id }) => id)).toEqual([runId]);
    expect((await api("GET", `/syncs/${runId}`)).body.run).toMatchObject({ status: "STARTED" });
    expect(await catalog.ownerOf("shop", "orders")).toBeDefined();
    expect(await audited(team.id)).toEqual(["sync.configure", "sync.delete"]);
  });

  it("frees the tables at once where nothing runs, so that another sync may have them", async () => {
    const { configure, api, catalog } = await newSyncTeam();
    await configure();
    await env.DB.prepare(
      "UPDATE sync_runs SET state = 'succeeded', ended_at = updated_at WHERE ended_at IS NULL",
    ).run();
    await api("DELETE", "/sync");
    expect((await catalog.ownerOf("shop", "orders")) ?? undefined).toBeUndefined();
    expect((await configure()).status).toBe(200);
  });
});

describe("deleteIntegration", () => {
  it.each(["the source", "the lake"])("of %s ends its syncs and cancels their runs", async (which) => {
    const { configure, team, sourceId, catalog, wakeUps, bindings } = await newSyncTeam();
    const { body: made } = await callWith(bindings, "POST", "/v1/api/integrations", {
      key: team.admin.key,
      body: { type: "lake", credentials: {} },
    });
    const { body: first } = await configure(which === "the lake" ? { dest_integration_id: made.integration.id } : {});
    wakeUps.length = 0;
    const id = which === "the lake" ? made.integration.id : sourceId;
    expect((await callWith(bindings, "DELETE", `/v1/api/integrations/${id}`, { key: team.admin.key })).status).toBe(
      204,
    );
    expect(wakeUps.filter(({ kind }) => kind === "sync_run").map(({ id: woken }) => woken)).toEqual([first.run_id]);
    const run = await env.DB.prepare("SELECT cancel_reason FROM sync_runs WHERE id = ?").bind(first.run_id).first();
    const reason =
      which === "the lake"
        ? `The lake Lake (2) (${id}), which it writes to, was deleted.`
        : `The integration shop (${id}), which it reads, was deleted.`;
    expect(run).toEqual({ cancel_reason: reason });
    expect(
      await env.DB.prepare("SELECT status, next_run_at FROM syncs WHERE id = ?").bind(first.sync_config.id).first(),
    ).toEqual({ status: "removing", next_run_at: null });
    if (which === "the source") expect(await catalog.ownerOf("shop", "orders")).toBeDefined();
  });
});

describe("a real database", () => {
  it("is asked for its tables by the engine, each by its own name", async () => {
    const team = await newTeam();
    const made = await call("POST", "/v1/api/integrations", {
      key: team.admin.key,
      body: { type: "postgres", credentials: postgresCredentials({ database: "shop" }) },
    });
    const path = `/v1/api/integrations/${made.body.integration.id}/sync`;
    const configure = (rest: object) => call("POST", path, { key: team.admin.key, body: { ...BODY, ...rest } });
    expect(await configure({ tables: ["public.nope", "public.Tags"] })).toMatchObject({
      status: 422,
      body: { message: expect.stringMatching(/no table public\.nope.*there is public\.tags/) },
    });
    expect(await configure({ tables: ["public.*", "sales.*"] })).toMatchObject({
      status: 422,
      body: { message: expect.stringMatching(/public\.orders and sales\.orders/) },
    });
    const appended = await configure({ tables: ["public.*"], load_method: "append" });
    expect(appended.body.notes.join(" ")).toMatch(/public\.Order Lines has no column.*public\.tags has no column/);
    const done = await configure({ tables: ["public.*", "public.recent"] });
    expect(done).toMatchObject({
      status: 200,
      body: {
        notes: [expect.stringMatching(/public\.tags has no primary key/), expect.stringMatching(/public\.recent/)],
      },
    });
    expect([...done.body.sync_config.tables_expanded].sort()).toEqual([
      "public.Order Lines",
      "public.orders",
      "public.recent",
      "public.tags",
    ]);
    await call("POST", `${path}s/${done.body.run_id}/cancel`, { key: team.admin.key });
  });
});
