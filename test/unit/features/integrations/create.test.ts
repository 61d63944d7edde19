import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { refusesStrangers } from "../../../support/unit/access.ts";
import { mysqlCredentials, postgresCredentials } from "../../../support/unit/databases.ts";
import { call } from "../../../support/unit/http.ts";
import { newTeam, type TestTeam } from "../../../support/unit/team.ts";

const PATH = "/v1/api/integrations";
const create = (key: string | undefined, body: unknown) => call("POST", PATH, { key, body });
const count = async (key: string) => (await call("GET", PATH, { key })).body.data.length;

refusesStrangers("createIntegration", (key) => create(key, { type: "lake", credentials: {} }), {
  right: "integrations:write",
});

describe("createIntegration", () => {
  // Connecting needs an engine, so those who connect share a team.
  let admin: TestTeam["admin"];
  beforeAll(async () => {
    ({ admin } = await newTeam());
  });

  it("stores a PostgreSQL that can be connected to, names it, and warns of a role that can write", async () => {
    const { password, ...shown } = postgresCredentials();
    const { status, body } = await create(admin.key, { type: "postgresql", credentials: { password, ...shown } });
    expect(status).toBe(201);
    expect(body.integration).toMatchObject({
      type: "postgres",
      name: `postgres: postgres@${shown.host}`,
      category: "source",
      is_default: false,
    });
    expect(body.integration.details).toEqual({
      ...shown,
      sslmode: "require",
      name: body.integration.name,
      type: "postgres",
    });
    expect(body.warnings.join()).toContain("can write");
    expect((await call("GET", `${PATH}/${body.integration.id}`, { key: admin.key })).body.integration).toEqual(
      body.integration,
    );
  });

  it("stores a MySQL under the name it is given", async () => {
    const { status, body } = await create(admin.key, { type: "mysql", name: "Shop", credentials: mysqlCredentials() });
    expect(status).toBe(201);
    expect(body.integration).toMatchObject({ type: "mysql", name: "Shop" });
  });

  it("makes a further lake, which is not the default", async () => {
    for (const body of [{ type: "lake", credentials: {} }, { type: "ducklake" }]) {
      expect(await create(admin.key, body)).toMatchObject({
        status: 201,
        body: { integration: { type: "lake", is_default: false }, warnings: [] },
      });
    }
  });

  it("gives a name once in a team, in whatever case, and one that is free to what has none", async () => {
    const { admin: owner } = await newTeam();
    const lake = (more: Record<string, unknown>) => create(owner.key, { type: "lake", ...more });
    expect((await lake({ name: "Archive" })).status).toBe(201);
    for (const body of [
      { type: "lake", name: "archive" },
      { type: "postgres", name: "ARCHIVE", credentials: postgresCredentials({ port: "9" }) },
    ]) {
      expect(await create(owner.key, body)).toMatchObject({
        status: 409,
        body: { error: { code: "resource_conflict", flaws: [{ pointer: "/name" }] } },
      });
    }
    const unnamed = await Promise.all([lake({}), lake({}), lake({})]);
    expect(unnamed.map(({ body }) => body.integration?.name).sort()).toEqual(["Lake (2)", "Lake (3)", "Lake (4)"]);
    expect((await create((await newTeam()).admin.key, { type: "lake", name: "Archive" })).status).toBe(201);
  });

  it("lets one of those through who ask for one name at once, and leaves nothing of the others", async () => {
    const { id, admin: owner } = await newTeam();
    const all = await Promise.all(Array.from({ length: 4 }, () => create(owner.key, { type: "lake", name: "Same" })));
    expect(all.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
    const rows = (table: string) =>
      env.DB.prepare(`SELECT count(*) AS n FROM ${table} WHERE team_id = ?`).bind(id).first("n");
    expect([await rows("integrations"), await rows("lake_collections")]).toEqual([2, 2]);
  });

  it("leaves one audit row in the same commit", async () => {
    const { id, admin: owner } = await newTeam();
    const { body } = await create(owner.key, { type: "lake", credentials: {} });
    const rows = await env.DB.prepare(
      "SELECT actor_id, subject_id FROM audit_events WHERE team_id = ? AND action = 'integration.create'",
    )
      .bind(id)
      .all();
    expect(rows.results).toEqual([{ actor_id: owner.id, subject_id: body.integration.id }]);
  });

  it("stores credentials sealed", async () => {
    const { body } = await create(admin.key, { type: "postgres", credentials: postgresCredentials() });
    const row = await env.DB.prepare("SELECT * FROM integrations WHERE id = ?").bind(body.integration.id).first();
    expect(row).toMatchObject({ vault_key_id: "test", sealed_credentials: expect.stringMatching(/^1\.test\./) });
    expect(JSON.stringify(row)).not.toContain(postgresCredentials().password);
  });

  it.each([
    ["a host that is not in the DNS", { host: "no-such-host.invalid" }, "dns", "/credentials/host"],
    ["a port nothing listens on", { port: "9" }, "refused", "/credentials/port"],
    ["a wrong password", { password: "canary-wrong-password" }, "authentication", "/credentials/password"],
    ["a database that does not exist", { database: "nowhere" }, "database_missing", "/credentials/database"],
    ["a host of the metadata service", { host: "169.254.169.254" }, "host_forbidden", "/credentials/host"],
    ["a host of a private network", { host: "10.0.0.1" }, "host_forbidden", "/credentials/host"],
  ])("refuses %s, says so, and stores nothing", async (_, changes, reason, pointer) => {
    const before = await count(admin.key);
    const { status, body } = await create(admin.key, { type: "postgres", credentials: postgresCredentials(changes) });
    expect(status).toBe(400);
    expect(body.error).toMatchObject({
      code: ["dns", "refused"].includes(reason) ? "source_unreachable" : "connection_failed",
      flaws: [{ pointer, message: expect.stringContaining(reason) }],
    });
    for (const password of ["canary", postgresCredentials().password])
      expect(JSON.stringify(body)).not.toContain(password);
    expect(await count(admin.key)).toBe(before);
  });

  it.each([
    ["a type that is none", { type: "stripe", credentials: {} }, ["/type"]],
    ["no type", { credentials: {} }, ["/type"]],
    [
      "a port that is a number",
      { type: "postgres", credentials: { host: "h", port: 5432, database: "d", username: "u", password: "p" } },
      ["/credentials/port"],
    ],
    [
      "a mode of TLS that is none",
      {
        type: "mysql",
        credentials: { host: "h", port: "1", database: "d", username: "u", password: "p", sslmode: "on" },
      },
      ["/credentials/sslmode"],
    ],
    [
      "certificates that would not be looked at",
      {
        type: "postgres",
        credentials: {
          host: "h",
          port: "1",
          database: "d",
          username: "u",
          password: "p",
          sslrootcert: "-----BEGIN CERTIFICATE-----",
        },
      },
      ["/credentials/sslrootcert"],
    ],
    [
      "a file's name for certificates",
      {
        type: "postgres",
        credentials: {
          host: "h",
          port: "1",
          database: "d",
          username: "u",
          password: "p",
          sslmode: "verify-ca",
          sslrootcert: "/etc/ssl/ca.pem",
        },
      },
      ["/credentials/sslrootcert"],
    ],
    [
      "a port out of range",
      { type: "mysql", credentials: { host: "h", port: "65536", database: "d", username: "u", password: "p" } },
      ["/credentials/port"],
    ],
    [
      "an unknown field",
      {
        type: "mysql",
        more: 1,
        credentials: { host: "h", port: "1", database: "d", username: "u", password: "p", ssl: true },
      },
      ["/credentials/ssl", "/more"],
    ],
    [
      "every missing field at once",
      { type: "postgres", credentials: { host: "h", port: "5432" } },
      ["/credentials/database", "/credentials/password", "/credentials/username"],
    ],
    ["credentials of a lake", { type: "lake", credentials: { host: "h" } }, ["/credentials/host"]],
    ["a name too long", { type: "lake", name: "n".repeat(201), credentials: {} }, ["/name"]],
  ])("refuses %s", async (_, body, pointers) => {
    const answer = await create(admin.key, body);
    expect(answer.status).toBe(422);
    expect(answer.body.error.flaws.map(({ pointer }: { pointer: string }) => pointer).sort()).toEqual(pointers);
  });
});
