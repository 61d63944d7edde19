// A change and its audit event are one: what could once be made without the other is tried with each of them refused.

import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { callWith } from "../../../support/unit/call-with.ts";
import { fakeSandbox } from "../../../support/unit/fake-sandbox.ts";
import { call, type Answer } from "../../../support/unit/http.ts";
import { newSyncTeam } from "../../../support/unit/sync-team.ts";
import { newTeam } from "../../../support/unit/team.ts";

/** A change that is ready to be made. A repeat of it changes nothing. */
type Change = { teamId: string; make: () => Promise<Answer>; isMade: () => Promise<boolean> };

const count = async (sql: string, ...values: string[]): Promise<number> =>
  (await env.DB.prepare(`select count(*) as rows from ${sql}`)
    .bind(...values)
    .first<number>("rows"))!;

async function newDoc() {
  const team = await newTeam();
  const { key } = team.admin;
  const datasets = { score: { engine: "python", code: "result = 1" } };
  const body = { version: 1, kind: "pipeline", metadata: { name: "Audited" }, datasets };
  const id: string = (await call("POST", "/v4/docs", { key, body })).body.data.id;
  const isArchived = async () => (await count("docs where id = ? and archived_at is not null", id)) > 0;
  return { team, key, id, isArchived };
}

async function newStore() {
  const team = await newTeam();
  const { key } = team.admin;
  const body = { name: "kept", data: { a: "1" } };
  const version: string = (await call("POST", "/v1/store", { key, body })).body.version_id;
  return { team, key, version };
}

const CHANGES: Record<string, () => Promise<Change>> = {
  "doc.delete": async () => {
    const { team, key, id, isArchived } = await newDoc();
    return { teamId: team.id, make: () => call("DELETE", `/v4/docs/${id}`, { key }), isMade: isArchived };
  },
  "doc.restore": async () => {
    const { team, key, id, isArchived } = await newDoc();
    await call("DELETE", `/v4/docs/${id}`, { key });
    const make = () => call("POST", `/v4/docs/${id}/restore`, { key });
    return { teamId: team.id, make, isMade: async () => !(await isArchived()) };
  },
  "doc_run.cancel": async () => {
    const { team, key, id } = await newDoc();
    const { bindings } = fakeSandbox();
    const runId: string = (await callWith(bindings, "POST", `/v4/docs/${id}/run`, { key, body: {} })).body.data.id;
    await env.DB.prepare("update doc_runs set ended_at = null, state = 'running' where id = ?").bind(runId).run();
    const make = () => callWith(bindings, "POST", `/v4/docs/${id}/runs/${runId}/cancel`, { key });
    const isMade = async () => (await count("doc_runs where id = ? and cancel_requested_at is not null", runId)) > 0;
    return { teamId: team.id, make, isMade };
  },
  "secret.delete": async () => {
    const team = await newTeam();
    const { key } = team.admin;
    await call("POST", "/v1/api/secret/TOKEN", { key, body: { value: "x" } });
    const isMade = async () => (await count("secrets where team_id = ?", team.id)) === 0;
    return { teamId: team.id, make: () => call("DELETE", "/v1/api/secret/TOKEN", { key }), isMade };
  },
  "kv_store.set": async () => {
    const { team, key, version } = await newStore();
    const body = { name: "kept", data: { a: "2" }, existing_version_id: version };
    await env.DB.prepare("delete from audit_events where team_id = ?").bind(team.id).run();
    const isMade = async () => (await count("kv_stores where team_id = ? and version_id <> ?", team.id, version)) > 0;
    return { teamId: team.id, make: () => call("POST", "/v1/store", { key, body }), isMade };
  },
  "kv_store.delete": async () => {
    const { team, key } = await newStore();
    const isMade = async () => (await count("kv_stores where team_id = ?", team.id)) === 0;
    return { teamId: team.id, make: () => call("DELETE", "/v1/store", { key, body: { name: "kept" } }), isMade };
  },
  "sync.run": async () => {
    const { api, configure, team } = await newSyncTeam();
    const { run_id: first } = (await configure()).body;
    await env.DB.prepare("update sync_runs set ended_at = updated_at where id = ?").bind(first).run();
    const isMade = async () => (await count("sync_runs where team_id = ? and id <> ?", team.id, first)) > 0;
    return { teamId: team.id, make: () => api("POST", "/syncs/run"), isMade };
  },
  "sync_run.cancel": async () => {
    const { api, configure, team } = await newSyncTeam();
    const { run_id: runId } = (await configure()).body;
    const isMade = async () => (await count("sync_runs where id = ? and cancel_requested_at is not null", runId)) > 0;
    return { teamId: team.id, make: () => api("POST", `/syncs/${runId}/cancel`), isMade };
  },
};

const audited = (teamId: string, action: string) =>
  count("audit_events where team_id = ? and action = ?", teamId, action);

describe.each(Object.keys(CHANGES))("%s", (action) => {
  it("is there with its audit event, which no repeat that changes nothing adds to", async () => {
    const { teamId, make, isMade } = await CHANGES[action]!();
    expect((await make()).status).toBeLessThan(300);
    expect([await isMade(), await audited(teamId, action)]).toEqual([true, 1]);
    await make();
    expect(await audited(teamId, action)).toBe(1);
  });

  it("is not there where its audit event is refused", async () => {
    const { teamId, make, isMade } = await CHANGES[action]!();
    await env.DB.prepare(
      `create trigger refuse before insert on audit_events when new.action = '${action}' begin select raise(abort, 'no'); end`,
    ).run();
    try {
      expect((await make()).status).toBe(500);
      expect([await isMade(), await audited(teamId, action)]).toEqual([false, 0]);
    } finally {
      await env.DB.prepare("drop trigger refuse").run();
    }
  });
});

describe("a change that loses to another of the same instant", () => {
  it("of a sync is refused, cancels no run and is not audited", async () => {
    for (let round = 0; round < 5; round++) {
      const { api, configure, team } = await newSyncTeam();
      await configure();
      const answers = await Promise.all([
        api("PATCH", "/sync", { status: "paused" }),
        api("DELETE", "/sync"),
        configure({ tables: ["public.items"] }),
        api("PATCH", "/sync", { status: "paused" }),
      ]);
      const [paused, deleted, configured] = [
        answers.filter(({ status }, index) => status === 200 && [0, 3].includes(index)).length,
        answers[1]!.status === 204 ? 1 : 0,
        answers[2]!.status === 200 ? 1 : 0,
      ];
      expect(await audited(team.id, "sync.delete")).toBe(deleted);
      expect(await audited(team.id, "sync.configure")).toBe(1 + configured);
      expect(await audited(team.id, "sync.pause")).toBeLessThanOrEqual(paused);
      if (deleted === 0)
        expect(await count("sync_runs where team_id = ? and cancel_reason like '%deleted%'", team.id)).toBe(0);
    }
  });
});
