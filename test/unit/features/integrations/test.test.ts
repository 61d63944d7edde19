import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, inject, it, vi } from "vitest";
import { refusesStrangers } from "../../../support/unit/access.ts";
import { addPostgres, mysqlCredentials, postgresCredentials } from "../../../support/unit/databases.ts";
import { call } from "../../../support/unit/http.ts";
import { newTeam, type TestTeam } from "../../../support/unit/team.ts";

const PATH = "/v1/api/integrations";
refusesStrangers("testIntegration", (key) => call("POST", `${PATH}/${crypto.randomUUID()}/test`, { key }), {
  right: "integrations:write",
});

let team: TestTeam;
beforeAll(async () => {
  team = await newTeam();
});

describe("testIntegration", () => {
  it("connects with the stored credentials", async () => {
    const id = await addPostgres(team);
    const { status, body } = await call("POST", `${PATH}/${id}/test`, { key: team.admin.key });
    expect(status).toBe(200);
    expect(body).toMatchObject({ success: true, connection: { product: "PostgreSQL", tls: true, can_write: true } });
    expect(body.hindrances).toEqual([]);
  });

  it("asks a lake's catalog", async () => {
    const { admin } = team;
    const [lake] = (await call("GET", PATH, { key: admin.key })).body.data;
    expect(await call("POST", `${PATH}/${lake.id}/test`, { key: admin.key })).toMatchObject({
      status: 200,
      body: { connection: { product: "DuckLake" } },
    });
  });

  it("fails for good where a row's credentials were swapped with another's", async () => {
    const [one, other] = [await addPostgres(team), await addPostgres(team)];
    await env.DB.prepare(
      "UPDATE integrations SET sealed_credentials = (SELECT sealed_credentials FROM integrations WHERE id = ?) WHERE id = ?",
    )
      .bind(other, one)
      .run();
    const log = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const { status, body } = await call("POST", `${PATH}/${one}/test`, { key: team.admin.key });
    log.mockRestore();
    expect({ status, code: body.error.code }).toEqual({ status: 500, code: "internal_error" });
  });
});

describe("a password", () => {
  it("is in no answer and no log line, of the Worker or the engine, whatever is done with it", async () => {
    const printed: string[] = [];
    const spies = (["log", "info", "warn", "error", "debug"] as const).map((level) =>
      vi.spyOn(console, level).mockImplementation((...parts) => void printed.push(parts.map(String).join(" "))),
    );
    const key = team.admin.key;
    const answers: unknown[] = [];
    const send = async (method: string, route: string, body?: unknown) => {
      const answer = await call(method, route, { key, ...(body === undefined ? {} : { body }) });
      answers.push(answer.body, [...answer.headers]);
      return answer;
    };

    const canary = "canary-7c1f-password";
    for (const [type, credentials] of [
      ["postgres", postgresCredentials],
      ["mysql", mysqlCredentials],
    ] as const) {
      await send("POST", PATH, { type, credentials: credentials({ password: canary }) });
      await send("POST", PATH, { type, credentials: credentials({ password: canary, host: "no-such-host.invalid" }) });
      await send("POST", PATH, { type, credentials: credentials({ password: canary, port: "9" }) });
      const { body } = await send("POST", PATH, { type, credentials: credentials() });
      const id = body.integration.id;
      await send("PATCH", `${PATH}/${id}`, { credentials: { password: canary } });
      await send("POST", `${PATH}/${id}/test`);
      await send("GET", PATH);
      await send("POST", "/v1/query", { sql: "select nonsense from nowhere", integration_id: id });
      await send("POST", "/v1/query", { sql: "select 1", integration_id: id });
    }
    for (const spy of spies) spy.mockRestore();

    const engineLog = await (await fetch(inject("engineLogUrl"))).text();
    expect(engineLog).toContain("[engine ");
    const everything = JSON.stringify(answers) + printed.join("\n") + engineLog;
    for (const password of [
      canary,
      postgresCredentials().password,
      mysqlCredentials().password,
      env.VAULT_KEYS,
      env.SUPERVISOR_TOKEN,
    ])
      expect(everything).not.toContain(password);
  });
});
