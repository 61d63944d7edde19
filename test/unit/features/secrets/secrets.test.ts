import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { SECRET_LIMITS } from "../../../../src/features/secrets/limits.ts";
import { resealSecrets } from "../../../../src/features/secrets/reseal.ts";
import { refusesStrangers } from "../../../support/unit/access.ts";
import { call } from "../../../support/unit/http.ts";
import { newTeam, type TestTeam } from "../../../support/unit/team.ts";
import { openClients } from "../../../../src/clients/clients.ts";

let team: TestTeam;
beforeAll(async () => void (team = await newTeam()));
const as = (key = team.member.key) => ({ key });

describe("a secret", () => {
  const set = (key: string, value: string, by = team.admin.key) =>
    call("POST", `/v1/api/secret/${key}`, { key: by, body: { value } });

  it("is written by admins, read by members, listed by its key, and gone when deleted", async () => {
    expect((await set("API_KEY", "hunter2-hunter2")).status).toBe(200);
    expect((await set("API_KEY", "hunter3-hunter3")).status).toBe(200);
    expect((await call("GET", "/v1/api/secret", as())).body).toEqual({ secrets: ["API_KEY"] });
    expect((await call("GET", "/v1/api/secret/API_KEY", as())).body).toEqual({ value: "hunter3-hunter3" });
    const { results } = await env.DB.prepare("select * from secrets").all();
    expect(JSON.stringify(results)).not.toContain("hunter");
    expect((await call("DELETE", "/v1/api/secret/API_KEY", { key: team.admin.key })).status).toBe(200);
    for (const method of ["GET", "DELETE"])
      expect((await call(method, "/v1/api/secret/API_KEY", { key: team.admin.key })).status).toBe(404);
    const actions = (
      await env.DB.prepare("select action, run_id from audit_events where subject_id = 'API_KEY' order by id").all()
    ).results;
    expect(actions.map(({ action }) => action)).toEqual(["secret.set", "secret.set", "secret.delete"]);
  });

  it("opens for its own team and key only, and has a bound", async () => {
    const other = await newTeam();
    await set("one", "1111");
    await env.DB.prepare(
      "insert into secrets select 'moved', team_id, 'two', sealed_value, vault_key_id, created_at, updated_at from secrets where team_id = ?",
    )
      .bind(team.id)
      .run();
    expect((await call("GET", "/v1/api/secret/two", as())).status).toBe(500);
    expect((await call("GET", "/v1/api/secret/one", as(other.admin.key))).status).toBe(404);
    expect((await set("long", "x".repeat(SECRET_LIMITS.bytesMax + 1))).status).toBe(413);
    expect((await set("a%20b", "x")).status).toBe(404);
    expect((await set("half", "\ud800")).body.error.flaws).toMatchObject([{ pointer: "/value" }]);
    await env.DB.prepare("delete from secrets where id = 'moved'").run();
  });

  it("moves to the vault's first key", async () => {
    await set("old", "kept");
    const [old] = env.VAULT_KEYS.split(",");
    const rotated = { ...env, VAULT_KEYS: `new:${btoa("n".repeat(32))},${old}` };
    expect((await resealSecrets(openClients(rotated))).secretsResealed).toBeGreaterThan(0);
    expect(await resealSecrets(openClients(rotated))).toEqual({ secretsResealed: 0 });
    expect((await env.DB.prepare("select distinct vault_key_id from secrets").all()).results).toEqual([
      { vault_key_id: "new" },
    ]);
  });
});

refusesStrangers("listSecrets", (key) => call("GET", "/v1/api/secret", { key }), { right: "secrets:read" });
refusesStrangers("setSecret", (key) => call("POST", "/v1/api/secret/x", { key, body: { value: "x" } }), {
  right: "secrets:write",
});
refusesStrangers("deleteSecret", (key) => call("DELETE", "/v1/api/secret/x", { key }), { right: "secrets:write" });
