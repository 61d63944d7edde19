import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { newId } from "../../../../src/core/ids.ts";
import { AUDIT_LIMITS } from "../../../../src/features/audit/limits.ts";
import type { AuditFilter } from "../../../../src/features/audit/event.ts";
import { selectEvents } from "../../../../src/features/audit/store.ts";
import { sweepAuditEvents } from "../../../../src/features/audit/sweep.ts";
import { openClients } from "../../../../src/clients/clients.ts";
import type { AuditAction } from "../../../../src/platform/db/audit-actions.ts";
import { recordAudit } from "../../../../src/platform/db/audit.ts";
import { openDb } from "../../../../src/platform/db/client.ts";
import { refusesStrangers } from "../../../support/unit/access.ts";
import { call } from "../../../support/unit/http.ts";
import { newTeam, scopeOf } from "../../../support/unit/team.ts";

refusesStrangers("listAuditEvents", (key) => call("GET", "/v4/audit", { key }), { right: "team:manage" });

const DAY_MS = 86_400_000;
const db = openDb(env.DB);

type Listed = {
  id: string;
  at: string;
  action: string;
  subject_id: string;
  actor: { id: string; name: string | null };
};

/** All pages of a list, in order. */
async function list(key: string, query: Record<string, string> = {}): Promise<Listed[]> {
  const events: Listed[] = [];
  for (let cursor: string | null = "", pages = 0; cursor !== null && pages < 100; pages++) {
    const search = new URLSearchParams({ ...query, ...(cursor === "" ? {} : { cursor }) });
    const { status, body } = await call("GET", `/v4/audit?${search}`, { key });
    expect(status).toBe(200);
    events.push(...body.data.items);
    cursor = body.data.cursor;
  }
  return events;
}

/** A team's log of events of our own alone: the days before now at which each was, and what it was. */
async function withEvents(
  events: { daysAgo: number; action: AuditAction; subject: string; actor?: string; run?: string }[],
) {
  const team = await newTeam();
  await env.DB.prepare("delete from audit_events where team_id = ?").bind(team.id).run();
  for (const { daysAgo, action, subject, actor = team.admin.id, run } of events) {
    const now = new Date(Date.now() - daysAgo * DAY_MS);
    const scope = { ...scopeOf(team.id, actor, false), now, ...(run && { runId: run }) };
    await recordAudit(db, scope, action, subject);
  }
  return team;
}

const subjects = (events: Listed[]): string[] => events.map(({ subject_id }) => subject_id);
const ago = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString();

describe("listAuditEvents", () => {
  it("tells who did what to what, with which key and request, before and after", async () => {
    const { id, admin, member } = await newTeam();
    const { body: me } = await call("GET", "/v4/me", { key: admin.key });
    const requestId = crypto.randomUUID();
    await call("PATCH", `/v4/users/${member.id}`, {
      key: admin.key,
      body: { name: "Grace" },
      headers: { "x-request-id": requestId },
    });
    const [event] = await list(admin.key);
    expect(event).toEqual({
      id: expect.any(String),
      at: expect.any(String),
      action: "user.update",
      kind: "user",
      subject_id: member.id,
      actor: { id: admin.id, name: "Ada" },
      by_operator: false,
      key_id: me.data.key_id,
      run_id: null,
      request_id: requestId,
      team_id: id,
      before: { name: "Ada" },
      after: { name: "Grace" },
    });
  });

  it("tells the key also where its id is what the request calls itself", async () => {
    const { admin, member } = await newTeam();
    const { key_id: keyId } = (await call("GET", "/v4/me", { key: admin.key })).body.data;
    const rename = { key: admin.key, body: { name: "Grace" }, headers: { "x-request-id": keyId } };
    await call("PATCH", `/v4/users/${member.id}`, rename);
    expect((await list(admin.key))[0]).toMatchObject({ key_id: keyId, request_id: keyId });
  });

  it("pages newest first, without a gap or a repeat though events are added meanwhile", async () => {
    const action: AuditAction = "doc.create";
    const days = [...Array(7).keys()].map((index) => ({ daysAgo: 7 - index, action, subject: `s${index}` }));
    const { id, admin } = await withEvents(days);
    const first = await call("GET", "/v4/audit?limit=3", { key: admin.key });
    expect(subjects(first.body.data.items)).toEqual(["s6", "s5", "s4"]);
    await recordAudit(db, scopeOf(id, admin.id, false), action, "later");
    const next = await call("GET", `/v4/audit?limit=4&cursor=${first.body.data.cursor}`, { key: admin.key });
    expect([subjects(next.body.data.items), next.body.data.cursor]).toEqual([["s3", "s2", "s1", "s0"], null]);
    expect(subjects(await list(admin.key, { limit: "1" }))).toEqual([
      "later",
      "s6",
      "s5",
      "s4",
      "s3",
      "s2",
      "s1",
      "s0",
    ]);
  });

  it("filters by actor, action, kind, subject and time, and by all of them at once", async () => {
    const other = crypto.randomUUID();
    const { admin } = await withEvents([
      { daysAgo: 5, action: "doc.create", subject: "one" },
      { daysAgo: 4, action: "doc.update", subject: "one", actor: other },
      { daysAgo: 3, action: "doc_run.start", subject: "two", actor: other },
      { daysAgo: 2, action: "doc.update", subject: "three" },
    ]);
    const found = async (query: Record<string, string>) => subjects(await list(admin.key, query));
    expect(await found({ actor_id: other })).toEqual(["two", "one"]);
    expect(await found({ actor_id: other.toUpperCase() })).toEqual(["two", "one"]);
    expect(await found({ action: "doc.update" })).toEqual(["three", "one"]);
    expect(await found({ kind: "doc" })).toEqual(["three", "one", "one"]);
    expect(await found({ kind: "doc_run" })).toEqual(["two"]);
    expect(await found({ subject_id: "one" })).toEqual(["one", "one"]);
    expect(await found({ from: ago(4.5), to: ago(2.5) })).toEqual(["two", "one"]);
    expect(await found({ kind: "doc", action: "doc_run.start" })).toEqual([]);
    const all = { actor_id: other, action: "doc.update", kind: "doc", subject_id: "one", from: ago(4.5), to: ago(3.5) };
    expect(await found(all)).toEqual(["one"]);
    expect((await list(admin.key, all))[0]!.actor).toEqual({ id: other, name: null });
  });

  it("includes `from` and excludes `to`, to the millisecond", async () => {
    const { admin } = await withEvents([{ daysAgo: 1, action: "doc.create", subject: "one" }]);
    const [event] = await list(admin.key);
    const next = new Date(Date.parse(event!.at) + 1).toISOString();
    const found = async (query: Record<string, string>) => (await list(admin.key, query)).length;
    expect(await found({ from: event!.at, to: next })).toBe(1);
    expect(await found({ from: next })).toBe(0);
    expect(await found({ to: event!.at })).toBe(0);
  });

  it.each([
    ["actor_id", "Ada"],
    ["action", "key"],
    ["action", "key.rotate' or 1=1"],
    ["kind", "key.rotate"],
    ["from", "yesterday"],
    ["cursor", "1"],
    ["limit", "251"],
    ["team_id", crypto.randomUUID()],
  ])("refuses %s=%s", async (name, value) => {
    const { admin } = await newTeam();
    const { status, body } = await call("GET", `/v4/audit?${new URLSearchParams({ [name]: value })}`, {
      key: admin.key,
    });
    expect([status, body.error.flaws[0].pointer]).toEqual([422, `/query/${name}`]);
  });

  it("shows nothing of another team, whatever is asked for", async () => {
    const [mine, theirs] = [await newTeam(), await newTeam()];
    const [event] = await list(theirs.admin.key);
    const found = async (query: Record<string, string>) => (await list(mine.admin.key, query)).length;
    expect(await found({ actor_id: theirs.admin.id })).toBe(0);
    expect(await found({ subject_id: event!.subject_id })).toBe(0);
    const after = await call("GET", `/v4/audit?cursor=${event!.id}`, { key: mine.admin.key });
    for (const { team_id } of after.body.data.items) expect(team_id).toBe(mine.id);
  });

  it("shows operators what operators did to teams that are not their own, and that to nobody else", async () => {
    const [platform, team] = [await newTeam(), await newTeam()];
    await env.DB.prepare("update users set is_operator = 1 where id = ?").bind(platform.admin.id).run();
    const { key } = platform.admin;
    const refused = await call("GET", "/v4/audit?operators=true", { key: team.admin.key });
    expect(refused).toMatchObject({ status: 403, body: { message: expect.stringContaining("platform:operate") } });
    await call("POST", "/v4/users", { key, body: { name: "X", email: "x@example.com", role: "member" } });
    const created = await call("POST", "/v4/admin/teams", {
      key,
      body: { name: "New", admin: { name: "A", email: "a@example.com" } },
    });
    const events = await list(key, { operators: "true", limit: "50" });
    expect(events[0]).toMatchObject({
      action: "team.create",
      team_id: created.body.data.team.id,
      actor: { id: platform.admin.id, name: "Ada" },
      by_operator: true,
    });
    expect(events.filter(({ action }) => action === "user.create")).toEqual([]);
    const own = await list(created.body.data.api_key.key);
    expect(own[0]).toMatchObject({ action: "team.create", by_operator: true, actor: { name: null } });
  });

  it("reads by an index, whichever filter is set", async () => {
    const id = newId();
    const prepared = vi.spyOn(env.DB, "prepare");
    const planOf = async (source: Parameters<typeof selectEvents>[1], filter: AuditFilter) => {
      prepared.mockClear();
      await selectEvents(db, source, filter, { limit: 10, cursor: id });
      const [statement = ""] = prepared.mock.calls[0] ?? [];
      const values = Array.from(statement.matchAll(/\?/g), () => "");
      const plan = env.DB.prepare(`explain query plan ${statement}`).bind(...values);
      return (await plan.all<{ detail: string }>()).results.map(({ detail }) => detail);
    };
    const team = { teamId: id };
    expect(await planOf(team, {})).toEqual([expect.stringContaining("audit_events_team (team_id=? AND id<?)")]);
    for (const [column, filter] of [
      ["subject_id", { subject_id: "s", actor_id: id, kind: "a", action: "a.b" }],
      ["actor_id", { actor_id: id, kind: "a" }],
      ["kind", { action: "a.b" }],
    ] as const)
      expect(await planOf(team, filter)).toEqual([expect.stringContaining(`(team_id=? AND ${column}=? AND id<?)`)]);
    expect(await planOf("operators", {})).toEqual([expect.stringContaining("audit_events_by_operator (id<?)")]);
    prepared.mockRestore();
  });
});

describe("sweepAuditEvents", () => {
  it("forgets what runs did sooner than what people did, and nothing that is younger", async () => {
    const [ofRuns, all] = [AUDIT_LIMITS.ofRunsKeptMs / DAY_MS, AUDIT_LIMITS.keptMs / DAY_MS];
    const run = crypto.randomUUID();
    const { admin } = await withEvents([
      { daysAgo: all + 0.01, action: "doc.create", subject: "old" },
      { daysAgo: all - 0.01, action: "doc.create", subject: "kept" },
      { daysAgo: ofRuns + 0.01, action: "doc.create", subject: "old of a run", run },
      { daysAgo: ofRuns + 0.01, action: "doc.create", subject: "of a person" },
      { daysAgo: ofRuns - 0.01, action: "doc.create", subject: "of a run", run },
    ]);
    expect((await sweepAuditEvents(openClients(env), new Date())).forgotten).toBe(2);
    expect(subjects(await list(admin.key))).toEqual(["of a run", "of a person", "kept"]);
  });

  it("forgets so many at once, the oldest first", async () => {
    const { admin, id } = await withEvents([{ daysAgo: 500, action: "doc.create", subject: "newest" }]);
    await env.DB.prepare(
      `insert into audit_events (id, team_id, actor_id, action, subject_id, at, kind)
         select printf('0180aaaa-%04x-7000-8000-000000000000', value), ?1, ?1, 'a.b', 's', '2022', 'a'
         from json_each(?2)`,
    )
      .bind(id, JSON.stringify([...Array(AUDIT_LIMITS.forgottenPerSweepMax).keys()]))
      .run();
    expect((await sweepAuditEvents(openClients(env), new Date())).forgotten).toBe(AUDIT_LIMITS.forgottenPerSweepMax);
    expect(subjects(await list(admin.key))).toEqual(["newest"]);
  });
});
