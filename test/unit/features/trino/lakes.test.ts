// A statement of Trino's protocol is of one lake: the one that it names, and no other that its session is in.

import { beforeAll, expect, it } from "vitest";
import { append, createTable, newWriter, column } from "../../../support/unit/lake.ts";
import { env } from "cloudflare:workers";
import { openLake } from "../../../../src/lake/lake.ts";
import { call } from "../../../support/unit/http.ts";
import { newTeam, type TestTeam } from "../../../support/unit/team.ts";

let team: TestTeam;
let other: string;
beforeAll(async () => {
  team = await newTeam();
  const body = { type: "lake", name: "Other", credentials: {} };
  const made = await call("POST", "/v1/api/integrations", { key: team.admin.key, body });
  other = made.body.integration.id;
  const own = await env.DB.prepare("select id from integrations where team_id = ? and is_default = 1")
    .bind(team.id)
    .first<string>("id");
  for (const lakeId of [own!, other]) {
    const writer = await newWriter({ teamId: team.id, lakeId, catalog: openLake(env, lakeId) });
    await writer.commit([
      createTable("main", "orders", [column(1, "id")]),
      append("main", "orders", writer.file("main", "orders", 1)),
    ]);
  }
});

async function errorOf(raw: string, session: Record<string, string> = {}): Promise<string | undefined> {
  const headers = {
    ...{ "content-type": "text/plain", "x-trino-catalog": "lake", "x-trino-schema": "main" },
    ...session,
  };
  const { status, body } = await call("POST", "/v1/statement", { key: team.admin.key, raw, headers });
  expect(status).toBe(200);
  return body.error?.message;
}

const ONE_LAKE = "A statement is of one lake.";

it.each([
  ["deletes from the session's by rows of another", "DELETE FROM orders WHERE id IN (SELECT id FROM $.main.orders)"],
  ["inserts into another from the session's", "INSERT INTO $.main.orders SELECT * FROM orders"],
  ["reads both", "SELECT * FROM orders, $.main.orders o"],
  ["renames into another", "ALTER TABLE orders RENAME TO $.main.more"],
  [
    "names two by a parameter",
    "EXECUTE IMMEDIATE 'SELECT * FROM orders WHERE id = ?' USING (SELECT id FROM $.main.orders)",
  ],
])("is refused where it %s", async (_, sql) => {
  expect(await errorOf(sql.replace("$", `"${other}"`))).toContain(ONE_LAKE);
});

it("may name a lake that the session is not in, with all its tables", async () => {
  const name = `"${other}".main.orders`;
  expect(await errorOf(`DELETE FROM ${name} WHERE id IN (SELECT id FROM ${name})`)).toBeUndefined();
});

it.each(["DROP SCHEMA system.main CASCADE", "CREATE SCHEMA system.more"])(
  "makes and drops no schema of what describes a lake: %s",
  async (sql) => {
    expect(await errorOf(sql)).toContain("What describes a lake is not written to.");
    const unnamed = sql.replace("system.", "");
    expect(await errorOf(unnamed, { "x-trino-catalog": "system" })).toContain(
      "What describes a lake is not written to.",
    );
  },
);

it("writes outside of transactions alone, which a ROLLBACK would not undo", async () => {
  const sql = "DELETE FROM orders";
  expect(await errorOf(sql, { "x-trino-transaction-id": crypto.randomUUID() })).toMatch("autocommit");
  expect(await errorOf(sql, { "x-trino-transaction-id": "NONE" })).toBeUndefined();
});

it("is refused with a property of the session, which would be without effect", async () => {
  expect(await errorOf("SELECT 1", { "x-trino-session": "query_max_run_time=1m" })).toMatch("'query_max_run_time'");
});

it("has a flaw at its place, and one of the text that it executes at none", async () => {
  const headers = { "content-type": "text/plain" };
  const flaw = async (raw: string) =>
    (await call("POST", "/v1/statement", { key: team.admin.key, raw, headers })).body.error;
  expect((await flaw("SELECT 1,\n FROM")).errorLocation).toEqual({ lineNumber: 2, columnNumber: 2 });
  expect(await flaw("EXECUTE IMMEDIATE 'SELECT 1,\n FROM'")).not.toHaveProperty("errorLocation");
});
