// Redshift, SQL Server, BigQuery and Snowflake as a team meets them: connected by their credentials, looked at,
// queried, synced into the lake, kept by data-access roles. Each is a stand-in of the tests, which the platform finds
// as a developer's emulator is found.

import { rm } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { copyState, startPlatform, type Platform } from "../../support/node/platform/platform.ts";
import { bigqueryUnderTest } from "../../support/node/sources/conformance/bigquery.ts";
import { redshiftUnderTest } from "../../support/node/sources/conformance/redshift.ts";
import { snowflakeUnderTest } from "../../support/node/sources/conformance/snowflake.ts";
import type { SourceUnderTest, TestTable } from "../../support/node/sources/conformance/source-under-test.ts";
import { sqlServerUnderTest } from "../../support/node/sources/conformance/sqlserver.ts";
import { call, rowsOf, type Integration } from "../client.ts";

const KINDS = {
  redshift: () => redshiftUnderTest(inject("postgres")),
  sqlserver: sqlServerUnderTest,
  bigquery: bigqueryUnderTest,
  snowflake: snowflakeUnderTest,
};
type Kind = keyof typeof KINDS;

const ORDERS: TestTable = { name: "orders", columns: { id: "bigint", note: "text", price: "decimal" }, key: ["id"] };

let state: string;
let platform: Platform;
const opened: Partial<Record<Kind, SourceUnderTest>> = {};

beforeAll(async () => {
  for (const [kind, open] of Object.entries(KINDS)) opened[kind as Kind] = await open();
  state = await copyState(inject("seed"));
  const env = {
    FJORD_VAR_ENGINE_BIGQUERY_EMULATOR: process.env.ENGINE_BIGQUERY_EMULATOR!,
    FJORD_VAR_ENGINE_SNOWFLAKE_EMULATOR: process.env.ENGINE_SNOWFLAKE_EMULATOR!,
  };
  platform = await startPlatform({ state, env });
});
afterAll(async () => {
  await platform?.stop();
  for (const source of Object.values(opened)) await source.close();
  if (state) await rm(state, { recursive: true, force: true, maxRetries: 5 });
});

async function answered<Body>(method: string, path: string, body?: unknown, status = 200): Promise<Body> {
  const answer = await call<Body>(method, path, { ...platform, ...(body === undefined ? {} : { body }) });
  expect(answer.status, JSON.stringify(answer.body)).toBe(status);
  return answer.body;
}

describe.each(Object.keys(KINDS) as Kind[])("%s", (kind) => {
  let source: SourceUnderTest;
  let integration: Integration;
  beforeAll(() => {
    source = opened[kind]!;
  });

  it("is connected by its credentials, of which no secret is shown", async () => {
    await source.create(ORDERS);
    await source.insert(ORDERS, [
      ["1", "first", "1.5000"],
      ["2", null, "2.2500"],
    ]);
    const { type, credentials } = source.source;
    const body = { type, name: `Shop ${kind}`, credentials };
    ({ integration } = await answered<{ integration: Integration }>("POST", "/v1/api/integrations", body, 201));
    expect(integration).toMatchObject({ type: kind, category: "source" });
    const shown = JSON.stringify(await answered("GET", `/v1/api/integrations/${integration.id}`));
    expect(shown).not.toMatch(/password|private_key/);
    expect(await answered("POST", `/v1/api/integrations/${integration.id}/test`)).toMatchObject({ success: true });
  });

  it("says why credentials are not taken, at the field", async () => {
    const { type, credentials } = source.refused;
    const { body, status } = await call("POST", "/v1/api/integrations", { ...platform, body: { type, credentials } });
    expect([status, body]).toMatchObject([400, { error: { code: "connection_failed" } }]);
  });

  it("is queried, and refuses what does not only read", async () => {
    const on = { integration_id: integration.id };
    const rows = await rowsOf(`SELECT count(*) AS n FROM ${source.table("orders")}`, on, platform);
    expect(rows.map((row) => Object.values(row).map(String))).toEqual([["2"]]);
    const body = { sql: `DELETE FROM ${source.table("orders")}`, ...on };
    const refused = await call("POST", "/v1/query", { ...platform, body });
    expect([refused.status, refused.body]).toMatchObject([400, { error: { code: "query_failed" } }]);
  });

  it("is merged into the lake, run after run", async () => {
    const schema = `from_${kind}`;
    const sync = { dest_schema: schema, schedule: "daily", tables: [`${source.schema}.*`] };
    const { run_id } = await answered<{ run_id: string }>("POST", `/v1/api/integrations/${integration.id}/sync`, sync);
    const lake = () =>
      rowsOf(`SELECT id, note, price::VARCHAR AS price FROM LAKE.${schema}.orders ORDER BY id`, {}, platform);
    await ended(integration, run_id);
    expect((await lake()).map(Object.values)).toEqual([
      [1, "first", "1.5000"],
      [2, null, "2.2500"],
    ]);
    await source.insert(ORDERS, [["3", "third", "3.0000"]]);
    await source.update(ORDERS, [["2", "second", "2.2500"]]);
    await source.remove(ORDERS, [["1", "first", "1.5000"]]);
    const again = await answered<{ run_id: string }>(
      "POST",
      `/v1/api/integrations/${integration.id}/syncs/run`,
      {},
      202,
    );
    await ended(integration, again.run_id);
    expect((await lake()).map(Object.values)).toEqual([
      [2, "second", "2.2500"],
      [3, "third", "3.0000"],
    ]);
  });
});

async function ended({ id }: Integration, runId: string): Promise<void> {
  const look = () =>
    answered<{ run: { status: string; details: object } }>("GET", `/v1/api/integrations/${id}/syncs/${runId}`);
  await expect.poll(async () => (await look()).run.status, { timeout: 60_000, interval: 250 }).not.toBe("STARTED");
  const { run } = await look();
  expect(run, JSON.stringify(run)).toMatchObject({ status: "SUCCESS" });
}
