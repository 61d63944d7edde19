// What becomes of a sync's runs, as its users watch, stop and look them up.

import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { call, connect, newTeam, rowsOf, type Integration } from "../client.ts";

const DATABASE = "watched";
let integration: Integration;
let source: pg.Client;
let base: string;

beforeAll(async () => {
  const server = inject("postgres");
  const login = { ...server, user: server.username };
  const admin = new pg.Client({ ...login, database: "postgres" });
  await admin.connect();
  await admin.query(`CREATE DATABASE ${DATABASE}`);
  await admin.end();
  source = new pg.Client({ ...login, database: DATABASE });
  await source.connect();
  await source.query(`
    CREATE TABLE good (id int PRIMARY KEY); INSERT INTO good VALUES (1), (2);
    CREATE VIEW bad AS SELECT 1 / (id - 1) AS x FROM good;
    CREATE TABLE long (id int PRIMARY KEY, filler text); INSERT INTO long SELECT i, md5(i::text) || repeat('x', 300) FROM generate_series(1, 600000) AS i; ANALYZE long`);
  integration = await connect("postgres", server, DATABASE);
  base = `/v1/api/integrations/${integration.id}`;
});
afterAll(() => source?.end());

type Line = { offset: number; level: string; attempt: number; message: string };
type Run = {
  id: string;
  status: string;
  details: Record<string, unknown>;
  tables: Array<{ source: string; phase: string; rows_read: number; rows_estimated: number | null; notes: string[] }>;
};
const configure = (config: Record<string, unknown>) =>
  call<{ run_id: string }>("POST", `${base}/sync`, { body: { schedule: "daily", ...config } });
const runOf = async (id: string) => (await call<{ run: Run }>("GET", `${base}/syncs/${id}`)).body.run;
const logsOf = async (id: string, query = "") =>
  (await call<{ data: Line[]; total: number }>("GET", `${base}/syncs/${id}/logs${query}`)).body;
async function ended(id: string): Promise<Run> {
  await expect.poll(async () => (await runOf(id)).status, { timeout: 100_000, interval: 250 }).not.toBe("STARTED");
  return runOf(id);
}

describe("a run", () => {
  it("keeps what its job said: what it read, and why a table failed", async () => {
    const { body } = await configure({ dest_schema: "said", tables: ["public.good", "public.bad"] });
    expect(await ended(body.run_id)).toMatchObject({
      status: "FAILED",
      details: { state: "failed", reason: expect.stringContaining("public.bad: division by zero") },
    });
    const { data, total } = await logsOf(body.run_id);
    expect(data.map(({ offset }) => offset)).toEqual(Array.from({ length: total }, (_, i) => i));
    const said = (level: string) =>
      data
        .filter((line) => line.level === level)
        .map(({ message }) => message)
        .join("\n");
    expect(said("info")).toMatch(/All tables are read from one snapshot[\s\S]*public\.good: 2 rows read, 2 written/);
    expect(said("error")).toContain("public.bad: division by zero");
    expect((await logsOf(body.run_id, "?offset=1&limit=1")).data).toEqual([data[1]]);
  });

  it("is reported live, ends when it is cancelled, leaves the lake as it was, and one that was asked for meanwhile does it all", async () => {
    const { body } = await configure({ dest_schema: "stopped", tables: ["public.good", "public.long"] });
    await expect
      .poll(async () => (await logsOf(body.run_id)).data.map(({ message }) => message).join(), {
        timeout: 60_000,
        interval: 100,
      })
      .toContain("public.good: 2 rows read");
    const live = await runOf(body.run_id);
    expect(
      live.tables.map(({ source: path, rows_estimated }) => [path, (rows_estimated ?? 0) > 500_000]),
    ).toContainEqual(["public.long", true]);
    expect((await call("POST", `${base}/syncs/run?dest_schema=stopped`)).body).toMatchObject({
      run_id: body.run_id,
      waits_for: null,
    });
    const full = await call<{ run_id: string }>("POST", `${base}/syncs/run?dest_schema=stopped`, {
      body: { full: true },
    });
    expect(full.body).toMatchObject({ waits_for: body.run_id });
    expect((await call("POST", `${base}/syncs/${body.run_id}/cancel`)).status).toBe(202);
    expect(await ended(body.run_id)).toMatchObject({
      status: "FAILED",
      details: { state: "cancelled", reason: expect.stringMatching(/^Cancelled by /) },
    });
    expect((await call("POST", `${base}/syncs/${body.run_id}/cancel`)).status).toBe(409);
    expect((await call<{ run_id: string }>("POST", `${base}/syncs/run?dest_schema=stopped`)).body.run_id).toBe(
      full.body.run_id,
    );
    expect(await ended(full.body.run_id)).toMatchObject({ status: "SUCCESS", details: { full: true, tables_done: 2 } });
    expect(await rowsOf("SELECT count(*) AS n, count(DISTINCT id) AS d FROM LAKE.stopped.long")).toEqual([
      { n: 600_000, d: 600_000 },
    ]);
  });

  it("reports what a star brought once and brings no more", async () => {
    await source.query(
      "CREATE SCHEMA starred; CREATE TABLE starred.kept (id int PRIMARY KEY); CREATE TABLE starred.gone (id int PRIMARY KEY); INSERT INTO starred.gone VALUES (7)",
    );
    await ended((await configure({ dest_schema: "starred", tables: ["starred.*"] })).body.run_id);
    await source.query(
      "ALTER TABLE starred.kept RENAME TO moved; CREATE VIEW starred.kept AS SELECT * FROM starred.moved; DROP TABLE starred.gone",
    );
    const { body } = await call<{ run_id: string }>("POST", `${base}/syncs/run?dest_schema=starred`);
    const run = await ended(body.run_id);
    expect(run.status).toBe("SUCCESS");
    const reported = Object.fromEntries(
      run.tables.map((table) => [table.source, `${table.phase}: ${table.notes.join()}`]),
    );
    expect(reported).toMatchObject({
      "starred.moved": expect.stringContaining("done"),
      "starred.kept": expect.stringContaining("skipped: starred.kept is a view"),
      "starred.gone": expect.stringContaining("skipped: starred.gone is gone"),
    });
    expect(await rowsOf("SELECT id FROM LAKE.starred.gone")).toEqual([{ id: 7 }]);

    await source.query("DROP SCHEMA starred CASCADE");
    const empty = await ended(
      (await call<{ run_id: string }>("POST", `${base}/syncs/run?dest_schema=starred`)).body.run_id,
    );
    expect(empty).toMatchObject({ status: "SUCCESS", details: { tables_done: 0, tables_skipped: 3 } });
    expect(empty.details.warnings).toContainEqual(expect.stringContaining("starred.* brought no table"));
    expect((await call<{ data: Run[] }>("GET", `${base}/syncs?limit=1`)).body.data[0]).toMatchObject({
      id: empty.id,
      details: { warnings: empty.details.warnings },
    });
    expect(empty.tables.map(({ phase }) => phase)).toEqual(["skipped", "skipped", "skipped"]);
  });
});

describe("the history", () => {
  const history = async (query: string) => (await call<{ data: Run[] }>("GET", `${base}/syncs?${query}`)).body.data;

  it("is newest first, filtered and paged as asked", async () => {
    const all = await history("limit=100");
    expect(all.length).toBeGreaterThanOrEqual(5);
    expect((await history("desc=false")).map(({ id }) => id)).toEqual(all.map(({ id }) => id).reverse());
    for (const status of ["SUCCESS", "FAILED", "STARTED"])
      expect(await history(`status=${status}&limit=100`)).toEqual(all.filter((run) => run.status === status));
    expect(await history("limit=2&offset=1")).toEqual(all.slice(1, 3));
    for (const wrong of ["limit=0", "limit=101", "offset=-1", "desc=maybe", "status=RUNNING", "sort=id"])
      expect((await call("GET", `${base}/syncs?${wrong}`)).status, wrong).toBe(422);
  });

  it("is a member's to read and not to make, and nobody else's", async () => {
    const { body: user } = await call<{ data: { id: string } }>("POST", "/v4/users", {
      body: { name: "Reader", email: "reader@watched.example", role: "member" },
    });
    const { body: minted } = await call<{ data: { key: string } }>("POST", `/v4/users/${user.data.id}/keys`, {
      body: { name: "reads" },
    });
    const { key } = minted.data;
    // Where the team has roles, a member sees what one of theirs grants.
    const grants = [{ integration_id: "*", schema: "*" }];
    const { body: role } = await call<{ data: { id: string } }>("POST", "/v4/data-access/roles", {
      body: { name: "All of it", grants },
    });
    const joined = await call("PUT", `/v4/data-access/roles/${role.data.id}/members/${user.data.id}`);
    expect(joined.status).toBe(204);
    const [run] = await history("limit=1");
    for (const path of ["/sync?dest_schema=said", "/syncs", `/syncs/${run!.id}`, `/syncs/${run!.id}/logs`])
      expect((await call("GET", base + path, { key })).status, path).toBe(200);
    const writes: Array<[string, string, unknown?]> = [
      ["POST", "/sync", { dest_schema: "said", schedule: "daily", tables: ["public.good"] }],
      ["PATCH", "/sync", { status: "paused" }],
      ["DELETE", "/sync"],
      ["POST", "/syncs/run"],
      ["POST", `/syncs/${run!.id}/cancel`],
    ];
    for (const [method, path, body] of writes)
      expect((await call(method, base + path, { key, ...(body === undefined ? {} : { body }) })).status, path).toBe(
        403,
      );

    const other = await newTeam("Others");
    for (const path of ["/sync", "/syncs", `/syncs/${run!.id}`, `/syncs/${run!.id}/logs`])
      expect((await call("GET", base + path, { key: other.key })).status, path).toBe(404);
  });
});
