// A run that fails says why in words a user can act on, and goes well once they have; what changes under it is
// reported.

import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { within } from "../../../scripts/process/group.ts";
import { call, connect, rowsOf, type Integration } from "../client.ts";
import type { Run } from "./world.ts";

const DATABASE = "failing";
const ROLE = "failing_reader";
let admin: pg.Client;
let source: Integration;

beforeAll(async () => {
  const server = inject("postgres");
  const root = new pg.Client({ ...server, user: server.username, database: "postgres" });
  await root.connect();
  await root.query(`CREATE DATABASE ${DATABASE}`);
  await root.query(`CREATE ROLE ${ROLE} LOGIN PASSWORD 'first' CONNECTION LIMIT -1`);
  await root.end();
  admin = new pg.Client({ ...server, user: server.username, database: DATABASE });
  await admin.connect();
  await admin.query(`
    CREATE TABLE knob (seconds double precision); INSERT INTO knob VALUES (0);
    CREATE VIEW slow AS SELECT g AS id, pg_sleep((SELECT seconds FROM knob))::text AS nap FROM generate_series(1, 100) AS g;
    CREATE VIEW slower AS SELECT * FROM slow;
    CREATE TABLE kept (id int PRIMARY KEY, amount int); INSERT INTO kept SELECT i, i FROM generate_series(1, 100) AS i;
    CREATE TABLE thinner (id int PRIMARY KEY, amount int); INSERT INTO thinner SELECT i, i FROM generate_series(1, 100) AS i;
    CREATE TABLE doomed (id int PRIMARY KEY, amount int); INSERT INTO doomed SELECT i, i FROM generate_series(1, 100) AS i;
    GRANT pg_read_all_data TO ${ROLE}`);
  source = await connect("postgres", { ...server, username: ROLE, password: "first" }, DATABASE);
});
afterAll(() => admin?.end());

const path = (more: string) => `/v1/api/integrations/${source.id}${more}`;
const look = async (runId: string): Promise<Run> => (await call<{ run: Run }>("GET", path(`/syncs/${runId}`))).body.run;
const reasonOf = async (runId: string): Promise<string> => (await look(runId)).details.reason ?? "";

async function ended(runId: string): Promise<Run> {
  expect(await within(150_000, async () => (await look(runId)).status !== "STARTED")).toBe(true);
  return look(runId);
}

async function configure(config: Record<string, unknown>): Promise<string> {
  const { status, body } = await call<{ run_id: string }>("POST", path("/sync"), {
    body: { schedule: "daily", ...config },
  });
  expect(status, JSON.stringify(body)).toBe(200);
  return body.run_id;
}

async function runAgain(schema: string, body: Record<string, unknown> = {}): Promise<string> {
  const answer = await call<{ run_id: string }>("POST", path(`/syncs/run?dest_schema=${schema}`), { body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(202);
  return answer.body.run_id;
}

describe("a run", () => {
  it("says that the password is not accepted any more, without trying on, and runs again once it is", {
    timeout: 200_000,
  }, async () => {
    expect(await ended(await configure({ dest_schema: "login", tables: ["public.kept"] }))).toMatchObject({
      status: "SUCCESS",
    });
    await admin.query(`ALTER ROLE ${ROLE} PASSWORD 'second'`);
    const failed = await ended(await runAgain("login"));
    expect(failed).toMatchObject({
      status: "FAILED",
      details: {
        attempt: 1,
        reason: expect.stringMatching(/password authentication failed.*Set the credentials of the integration/s),
      },
    });
    const patched = await call("PATCH", path(""), { body: { credentials: { password: "second" } } });
    expect(patched.status, JSON.stringify(patched.body)).toBe(200);
    expect(await ended(await runAgain("login"))).toMatchObject({ status: "SUCCESS" });
  });

  it("says that the database takes no more connections, and goes on when it does", { timeout: 200_000 }, async () => {
    await admin.query(`ALTER ROLE ${ROLE} CONNECTION LIMIT 0`);
    const runId = await runAgain("login");
    expect(await within(60_000, async () => /too many connections/.test(await reasonOf(runId)))).toBe(true);
    expect((await look(runId)).status).toBe("STARTED");
    await admin.query(`ALTER ROLE ${ROLE} CONNECTION LIMIT -1`);
    const run = await ended(runId);
    expect(run, JSON.stringify(run)).toMatchObject({
      status: "SUCCESS",
      details: { attempt: expect.toSatisfy((attempt: number) => attempt > 1) },
    });
  });

  it("notices tables that are dropped and altered under it, is exact by its next attempt, and fails for the one that is gone", {
    timeout: 300_000,
  }, async () => {
    const tables = ["public.slow", "public.slower", "public.doomed", "public.thinner", "public.kept"];
    expect(await ended(await configure({ dest_schema: "moving", tables }))).toMatchObject({ status: "SUCCESS" });
    await admin.query("UPDATE knob SET seconds = 0.1");
    const runId = await runAgain("moving");
    const isReading = async () =>
      (
        await admin.query(
          "SELECT 1 FROM pg_stat_activity WHERE application_name LIKE 'fjord sync%' AND state = 'active' AND query LIKE 'COPY%slow%'",
        )
      ).rows.length > 1;
    expect(await within(60_000, isReading)).toBe(true);
    await admin.query(
      "DROP TABLE doomed; ALTER TABLE thinner DROP COLUMN amount; ALTER TABLE kept ALTER COLUMN amount TYPE text USING 'n' || amount; UPDATE knob SET seconds = 0",
    );
    const run = await ended(runId);
    expect(run, JSON.stringify(run)).toMatchObject({
      status: "FAILED",
      details: {
        attempt: 2,
        tables_done: 4,
        tables_failed: 1,
        reason: expect.stringMatching(/^1 of 5 tables failed\. public\.doomed: .*The others are up to date/),
      },
    });
    expect(run.tables.find((table) => table.source === "public.doomed")).toMatchObject({
      phase: "failed",
      error: expect.stringContaining("The lake keeps the table as it was"),
    });
    expect(await rowsOf("SELECT count(*) AS n FROM LAKE.moving.doomed")).toEqual([{ n: 100 }]);
    expect(await rowsOf("SELECT count(*) AS n, max(amount) AS most FROM LAKE.moving.kept")).toEqual([
      { n: 100, most: "n99" },
    ]);
    expect(await rowsOf("SELECT * FROM LAKE.moving.thinner WHERE id = 1")).toEqual([{ id: 1 }]);
    const lines = (await call<{ data: { message: string }[] }>("GET", path(`/syncs/${runId}/logs`))).body.data
      .map(({ message }) => message)
      .join("\n");
    for (const table of ["doomed", "thinner"])
      expect(lines).toContain(`public.${table} was dropped or altered after this run began`);
    expect(lines).toContain("public.kept was truncated or rewritten after this run began");
  });

  it("notes a table that a star meant and the source has no more", { timeout: 200_000 }, async () => {
    await admin.query(
      "CREATE SCHEMA many; CREATE TABLE many.a (id int PRIMARY KEY); CREATE TABLE many.b (id int PRIMARY KEY); INSERT INTO many.b VALUES (1)",
    );
    expect(await ended(await configure({ dest_schema: "many", tables: ["many.*"] }))).toMatchObject({
      status: "SUCCESS",
    });
    await admin.query("DROP TABLE many.b");
    const run = await ended(await runAgain("many"));
    expect(run).toMatchObject({ status: "SUCCESS" });
    expect(run.tables.find((table) => table.source === "many.b")).toMatchObject({
      phase: "skipped",
      notes: [expect.stringContaining("many.b is gone at the source")],
    });
    expect(await rowsOf("SELECT id FROM LAKE.many.b")).toEqual([{ id: 1 }]);
  });

  it("says which row of which table can't be read", { timeout: 200_000 }, async () => {
    await admin.query("CREATE VIEW broken AS SELECT id, 100 / (id - 50) AS x FROM kept");
    const run = await ended(await configure({ dest_schema: "broken", tables: ["public.broken"] }));
    expect(run).toMatchObject({
      status: "FAILED",
      details: { attempt: 1, reason: "1 of 1 tables failed. public.broken: division by zero" },
    });
  });
});
