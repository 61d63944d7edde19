// What the audit log tells of changes that carry secrets: that they were made, and nothing of the secret.

import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { addPostgres, postgresCredentials } from "../../../support/unit/databases.ts";
import { call } from "../../../support/unit/http.ts";
import { newTeam, type TestTeam } from "../../../support/unit/team.ts";

type Event = { action: string; subject_id: string; before: object | null; after: object | null };

const canary = (): string => `canary-${crypto.randomUUID()}`;

/** The newest event of the action, once neither the log's rows nor the answer are seen to hold any of the secrets. */
async function eventWithout(team: TestTeam, action: string, secrets: string[]): Promise<Event> {
  const { body } = await call("GET", `/v4/audit?action=${action}`, { key: team.admin.key });
  const { results } = await env.DB.prepare("select * from audit_events where team_id = ?").bind(team.id).all();
  for (const secret of secrets) expect(JSON.stringify([results, body])).not.toContain(secret);
  return body.data.items[0];
}

const DEFINITION = { version: 1, kind: "pipeline", datasets: { one: { engine: "python", code: "result = 1" } } };

describe("the audit log", () => {
  it("tells of credentials what is no secret, and that they were replaced", async () => {
    const team = await newTeam();
    const { password, host, username } = postgresCredentials();
    const id = await addPostgres(team);
    const created = await eventWithout(team, "integration.create", [password]);
    expect(created).toMatchObject({ subject_id: id, before: null, after: { host, username, type: "postgres" } });
    const body = { credentials: { password } };
    expect((await call("PATCH", `/v1/api/integrations/${id}`, { key: team.admin.key, body })).status).toBe(200);
    const updated = await eventWithout(team, "integration.update", [password]);
    expect(updated).toMatchObject({ before: {}, after: { credentials: "replaced" } });
    expect((await call("DELETE", `/v1/api/integrations/${id}`, { key: team.admin.key })).status).toBe(204);
    expect((await eventWithout(team, "integration.delete", [password])).before).toMatchObject({ host, username });
  });

  it("tells of a secret its key, and nothing of its value", async () => {
    const team = await newTeam();
    const [value, next] = [canary(), canary()];
    for (const each of [value, next])
      await call("POST", "/v1/api/secret/TOKEN", { key: team.admin.key, body: { value: each } });
    const set = await eventWithout(team, "secret.set", [value, next]);
    expect(set).toMatchObject({ subject_id: "TOKEN", before: null, after: null });
    await call("DELETE", "/v1/api/secret/TOKEN", { key: team.admin.key });
    await eventWithout(team, "secret.delete", [value, next]);
  });

  it("tells of a store its size and version, and neither keys nor values", async () => {
    const team = await newTeam();
    const [name, value] = [canary(), canary()];
    const set = (data: object, existing_version_id: string | null) =>
      call("POST", "/v1/store", { key: team.member.key, body: { name: "kept", data, existing_version_id } });
    const first = (await set({ [name]: value }, null)).body.version_id;
    const second = (await set({ [name]: value, other: "1" }, first)).body.version_id;
    const event = await eventWithout(team, "kv_store.set", [name, value]);
    const bytes = JSON.stringify({ [name]: value, other: "1" }).length;
    expect(event).toMatchObject({
      before: { version_id: first },
      after: { name: "kept", version_id: second, keys: 2, bytes },
    });
    await call("DELETE", "/v1/store", { key: team.admin.key, body: { name: "kept" } });
    expect((await eventWithout(team, "kv_store.delete", [name, value])).before).toEqual({ name: "kept" });
  });

  it("tells of a definition its name, version and size, and nothing of its text", async () => {
    const team = await newTeam();
    const { key } = team.admin;
    const [code, description] = [canary(), canary()];
    const definition = {
      ...DEFINITION,
      metadata: { name: "Scores", description },
      datasets: { one: { engine: "python", code: `token = "${code}"` } },
    };
    const { id } = (await call("POST", "/v4/docs", { key, body: definition })).body.data;
    const created = await eventWithout(team, "doc.create", [code, description]);
    expect(created.after).toMatchObject({ name: "Scores", kind: "pipeline", version: 1, bytes: expect.any(Number) });
    const other = { ...definition, metadata: { name: "Scores of today", description } };
    await call("PUT", `/v4/docs/${id}`, { key, body: other, headers: { "if-match": '"1"' } });
    const updated = await eventWithout(team, "doc.update", [code, description]);
    expect(updated).toMatchObject({
      before: { name: "Scores", version: 1 },
      after: { name: "Scores of today", version: 2 },
    });
    const secret = `whsec_${btoa("x".repeat(32))}`;
    for (const said of ["set", "replaced"]) {
      await call("PUT", `/v4/docs/${id}/webhook-secret`, { key, body: { secret } });
      const event = await eventWithout(team, "webhook_secret.set", [secret, secret.slice(6)]);
      expect(event.after).toMatchObject({ secret: said });
    }
  });

  it("tells of an alert webhook its host, and neither its path nor its secret", async () => {
    const team = await newTeam();
    const { key } = team.admin;
    const [path, query] = [canary(), canary()];
    const set = async (url: string) => (await call("PUT", "/v4/alerts/webhook", { key, body: { url } })).body.data;
    const { secret } = await set(`https://alerts.example.com/${path}?token=${query}`);
    expect(secret).toMatch(/^whsec_/);
    const first = await eventWithout(team, "alert_webhook.set", [path, query, secret]);
    expect(first.after).toMatchObject({ host: "alerts.example.com", enabled: true, revision: 1 });
    await set(`https://alerts.example.com/${path}/other`);
    const second = await eventWithout(team, "alert_webhook.set", [path, query, secret]);
    expect(second).toMatchObject({ before: { revision: 1 }, after: { revision: 2 } });
    await call("DELETE", "/v4/alerts/webhook", { key });
    const gone = await eventWithout(team, "alert_webhook.delete", [path, query, secret]);
    expect([gone.subject_id, gone.before]).toEqual([first.subject_id, expect.objectContaining({ revision: 2 })]);
  });

  it("tells of a key its name, scopes and end, and neither itself nor its hash", async () => {
    const team = await newTeam();
    const suffixes = [team.admin.key, team.member.key].map((key) => key.split("-").at(-1)!);
    const { results } = await env.DB.prepare("select suffix_hash from api_keys where team_id = ?").bind(team.id).all();
    const hashes = results.map((row) => String(row["suffix_hash"]));
    const event = await eventWithout(team, "key.create", [...suffixes, ...hashes]);
    expect(event.after).toMatchObject({ user_id: team.member.id, name: "test", scopes: null, expires_at: null });
  });
});
