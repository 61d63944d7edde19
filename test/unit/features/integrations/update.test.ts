import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { seal } from "../../../../src/platform/crypto/vault.ts";
import { refusesStrangers } from "../../../support/unit/access.ts";
import { addPostgres, postgresCredentials } from "../../../support/unit/databases.ts";
import { call } from "../../../support/unit/http.ts";
import { newTeam, type TestTeam } from "../../../support/unit/team.ts";

const PATH = "/v1/api/integrations";
const patch = (key: string | undefined, id: string, body: unknown) => call("PATCH", `${PATH}/${id}`, { key, body });
const addLake = async ({ admin }: TestTeam): Promise<string> =>
  (await call("POST", PATH, { key: admin.key, body: { type: "lake", credentials: {} } })).body.integration.id;
const sealedOf = (id: string) =>
  env.DB.prepare("SELECT sealed_credentials FROM integrations WHERE id = ?")
    .bind(id)
    .first<string>("sealed_credentials");

refusesStrangers("updateIntegration", (key) => patch(key, crypto.randomUUID(), { name: "x" }), {
  right: "integrations:write",
});

describe("updateIntegration", () => {
  let team: TestTeam;
  let postgres: string;
  beforeAll(async () => {
    team = await newTeam();
    postgres = await addPostgres(team);
  });

  it("renames, and leaves one audit row", async () => {
    const team = await newTeam();
    const id = await addLake(team);
    const { status, body } = await patch(team.admin.key, id, { name: "Archive" });
    expect(status).toBe(200);
    expect(body.integration).toMatchObject({ id, name: "Archive", details: { name: "Archive" } });
    expect((await call("GET", `${PATH}/${id}`, { key: team.member.key })).body.integration).toEqual(body.integration);
    const rows = await env.DB.prepare(
      "SELECT subject_id FROM audit_events WHERE team_id = ? AND action = 'integration.update'",
    )
      .bind(team.id)
      .all();
    expect(rows.results).toEqual([{ subject_id: id }]);
  });

  it("refuses another integration's name, in whatever case and at once too, and takes its own in another", async () => {
    const team = await newTeam();
    const [id, other] = [await addLake(team), await addLake(team)];
    const names = (await Promise.all([id, other].map((each) => patch(team.admin.key, each, { name: "Archive" })))).map(
      ({ status }) => status,
    );
    expect(names.sort()).toEqual([200, 409]);
    const [winner, loser] =
      (await call("GET", `${PATH}?name=Archive`, { key: team.admin.key })).body.data[0].id === id
        ? [id, other]
        : [other, id];
    expect(await patch(team.admin.key, loser, { name: "aRCHIVE" })).toMatchObject({
      status: 409,
      body: { error: { flaws: [{ pointer: "/name" }] } },
    });
    expect((await patch(team.admin.key, winner, { name: "ARCHIVE" })).status).toBe(200);
    await env.DB.prepare("UPDATE integrations SET name = 'ARCHIVE' WHERE id = ?").bind(loser).run();
    expect((await patch(team.admin.key, loser, { name: "ARCHIVE" })).status, "a name it has from before").toBe(200);
  });

  it("moves to other credentials by the fields that change, and keeps the others", async () => {
    const id = await addPostgres(team);
    const { status, body } = await patch(team.admin.key, id, { credentials: { database: "template1" } });
    expect(status).toBe(200);
    expect(body.integration.details).toMatchObject({ database: "template1", host: postgresCredentials().host });
    const rows = await call("POST", "/v1/query", {
      key: team.member.key,
      body: { sql: "select current_database() as name", integration_id: id },
    });
    expect(rows.body.data).toEqual([{ name: "template1" }]);
  });

  it.each([{ port: "1" }, { host: "localhost" }])(
    "takes the stored password to no other server: %j",
    async (credentials) => {
      const id = await addPostgres(team);
      const { status, body } = await patch(team.admin.key, id, { credentials });
      expect(status).toBe(422);
      expect(body.error.flaws).toMatchObject([{ pointer: "/credentials/password" }]);
      const { host, password } = postgresCredentials();
      expect((await patch(team.admin.key, id, { credentials: { host, password } })).status).toBe(200);
    },
  );

  it.each([
    ["a weaker mode", { sslmode: "disable" }, /sslmode/],
    ["the mode before TLS was seen", { sslmode: "prefer" }, /sslmode/],
    ["no mode", { sslmode: null }, /sslmode/],
    ["leave to send it as it is", { allow_cleartext_password: true }, /allow_cleartext_password/],
  ])("takes the stored password nowhere with less protection: %s", async (_, credentials, why) => {
    const id = await addPostgres(team);
    const before = await sealedOf(id);
    const refused = await patch(team.admin.key, id, { credentials });
    expect(refused).toMatchObject({
      status: 422,
      body: { error: { flaws: [{ pointer: "/credentials/password", message: expect.stringMatching(why) }] } },
    });
    expect(await sealedOf(id)).toBe(before);
    expect(
      (await patch(team.admin.key, id, { credentials: { ...credentials, password: postgresCredentials().password } }))
        .status,
    ).toBe(200);
    const stronger = { sslmode: "require", allow_cleartext_password: null };
    expect((await patch(team.admin.key, id, { credentials: stronger })).status, "more protection needs none").toBe(200);
  });

  it("verifies by other certificates, or less, only with the password sent again", async () => {
    const id = await addPostgres(team);
    const stored = {
      ...postgresCredentials(),
      sslmode: "verify-full",
      sslrootcert: "-----BEGIN CERTIFICATE----- its own",
    };
    const { text: sealed } = await seal(env, { teamId: team.id, integrationId: id }, JSON.stringify(stored));
    await env.DB.prepare("UPDATE integrations SET sealed_credentials = ? WHERE id = ?").bind(sealed, id).run();
    for (const credentials of [
      { sslrootcert: "-----BEGIN CERTIFICATE----- another's" },
      { sslrootcert: null },
      { sslmode: "verify-ca" },
      { sslmode: "require", sslrootcert: null },
    ]) {
      const refused = await patch(team.admin.key, id, { credentials });
      expect(refused, JSON.stringify(credentials)).toMatchObject({
        status: 422,
        body: {
          error: {
            flaws: [{ pointer: "/credentials/password", message: expect.stringMatching(/sslmode|sslrootcert/) }],
          },
        },
      });
    }
  });

  it("takes a field back by null, and certificates only with a mode that looks at them", async () => {
    const id = await addPostgres(team);
    const send = (credentials: object) => patch(team.admin.key, id, { credentials });
    expect(await send({ sslrootcert: "-----BEGIN CERTIFICATE-----" })).toMatchObject({
      status: 422,
      body: { error: { flaws: [{ pointer: "/credentials/sslrootcert" }] } },
    });
    expect(await send({ sslmode: "disable", password: postgresCredentials().password })).toMatchObject({
      status: 200,
      body: { integration: { details: { sslmode: "disable" } } },
    });
    expect(await send({ database: "template1" })).toMatchObject({
      status: 200,
      body: { integration: { details: { sslmode: "disable" } } },
    });
    expect(await send({ sslmode: null })).toMatchObject({
      status: 200,
      body: { integration: { details: { sslmode: "require" } } },
    });
    expect(await send({ password: null })).toMatchObject({
      status: 422,
      body: { error: { flaws: [{ pointer: "/credentials/password" }] } },
    });
  });

  it("keeps what is stored when the new credentials don't connect", async () => {
    const id = await addPostgres(team);
    const before = await sealedOf(id);
    const { status, body } = await patch(team.admin.key, id, {
      name: "New",
      credentials: { password: "canary-wrong" },
    });
    expect(status).toBe(400);
    expect(body.error.flaws).toMatchObject([{ pointer: "/credentials/password" }]);
    expect(JSON.stringify(body)).not.toContain("canary");
    expect(await sealedOf(id)).toBe(before);
    expect((await call("GET", `${PATH}/${id}`, { key: team.admin.key })).body.integration.name).not.toBe("New");
  });

  it("lets only one of two changes made at once through", async () => {
    const id = await addPostgres(team);
    const answers = await Promise.all(
      ["template1", "postgres"].map((database) => patch(team.admin.key, id, { credentials: { database } })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  it.each([
    ["nothing", {}, [""]],
    ["an unknown field", { name: "n", type: "mysql" }, ["/type"]],
    [
      "credentials of the wrong form",
      { credentials: { port: 5432, ssl: true } },
      ["/credentials/port", "/credentials/ssl"],
    ],
  ])("refuses %s", async (_, body, pointers) => {
    const answer = await patch(team.admin.key, postgres, body);
    expect(answer.status).toBe(422);
    expect(answer.body.error.flaws.map(({ pointer }: { pointer: string }) => pointer).sort()).toEqual(pointers);
  });

  it("refuses credentials for a lake", async () => {
    expect(await patch(team.admin.key, await addLake(team), { credentials: { host: "h" } })).toMatchObject({
      status: 422,
      body: { error: { flaws: [{ pointer: "/credentials" }] } },
    });
  });
});
