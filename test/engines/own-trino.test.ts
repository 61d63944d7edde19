// A team's own Trino of two nodes, through the whole product: its rows are DuckDB's and the cluster's own, at the
// statement's snapshot; what is lost there is never told as whole.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { loadTables } from "../../scripts/bench/lake/tpc/suite.ts";
import { TPCH } from "../../scripts/bench/lake/tpc/tpch.ts";
import { call, rowsOf } from "../e2e/client.ts";
import { run } from "../e2e/query/trino/trino-client.ts";
import { askTrino, type Answer } from "../support/node/engines/dialect/both-engines.ts";
import { compare } from "../support/node/engines/dialect/compare.ts";
import { TPCH as QUERIES } from "../support/node/engines/dialect/tpch.ts";
import { findLake } from "../support/node/engines/lake.ts";
import { readProperties, startTrinoServer, type TrinoServer } from "../support/node/engines/trino.ts";
import { freePort } from "../support/node/servers/server-process.ts";

const SCALE = 0.01;
const INTEGRATIONS = "/v1/api/integrations";

let folder: string;
let cluster: TrinoServer;
let integration: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fjord-own-trino-"));
  const { baseUrl, key } = inject("platform");
  const port = await freePort();
  const made = await call<{ integration: { id: string } }>("POST", INTEGRATIONS, {
    body: {
      ...{ type: "trino", lake_id: (await findLake()).id },
      credentials: { url: `http://127.0.0.1:${port}`, username: "fjord", catalog: "lake" },
    },
  });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  integration = made.body.integration.id;
  const minted = await call<{ lake_properties: string }>("POST", `${INTEGRATIONS}/${integration}/lake_key`);
  expect(minted.status, JSON.stringify(minted.body)).toBe(201);
  const lake = readProperties(minted.body.lake_properties);
  const loadTpch = async (): Promise<void> => {
    await TPCH.generate(folder, SCALE);
    await loadTables({ url: baseUrl, key } as Parameters<typeof loadTables>[0], folder, TPCH);
  };
  [cluster] = await Promise.all([startTrinoServer(inject("clients"), { lake }, { workers: 1, port }), loadTpch()]);
}, 600_000);
afterAll(async () => {
  await cluster?.stop();
  await rm(folder, { recursive: true, force: true });
});

type Result = {
  columns: string[];
  data: Record<string, unknown>[];
  meta: { engine?: string; bytesRead?: number };
  success: boolean;
  error?: { code: string; retryable: boolean };
  message?: string;
};
const ask = (sql: string, engine: string, more: object = {}) =>
  call<Result>("POST", "/v1/query?numbers=string", { body: { sql, dialect: "trino", engine, ...more } });

/** Statements that run at the cluster, by its own account. */
async function running(): Promise<unknown> {
  const answer = await askTrino(
    cluster.url,
    "SELECT count(*) FROM system.runtime.queries WHERE source = 'fjord' AND state NOT IN ('FINISHED', 'FAILED')",
  );
  return answer.kind === "rows" ? answer.rows[0]![0] : answer;
}

/** The tables of the text with their schema, which the session of a test has not. */
const qualified = (sql: string): string =>
  TPCH.tables.reduce(
    (text, table) => text.replace(new RegExp(`(?<=(?:FROM|JOIN|,)\\s+)${table}\\b(?!\\.)`, "gi"), `tpch.${table}`),
    sql,
  );

it("is seen to read this lake, at the same snapshot", async () => {
  // The first statements of a cluster that was just started take longer than a test of a connection may.
  const test = () => call<Record<string, unknown>>("POST", `${INTEGRATIONS}/${integration}/test`);
  await expect.poll(async () => JSON.stringify((await test()).body)).toContain('"476"');
});

it("has DuckDB's rows, and the cluster's own, for all of TPC-H, while a writer commits each second", async () => {
  let commits = 0;
  let isOver = false;
  const writer = (async () => {
    while (!isOver) {
      await rowsOf(`INSERT INTO tpch.region VALUES (${1_000 + commits}, 'R${commits}', 'late')`);
      commits++;
      await new Promise((resolve) => setTimeout(resolve, 1_000));
    }
  })();
  const verdicts: string[] = [];
  try {
    for (const [index, text] of QUERIES.entries()) {
      const sql = qualified(text);
      const [ours, through, bare] = await Promise.all([
        run(sql, { "X-Trino-Catalog": "lake", "X-Trino-Schema": "tpch" }),
        ask(sql, "trino"),
        askTrino(cluster.url, sql),
      ]);
      expect(through.status, `${index + 1}: ${JSON.stringify(through.body)}`).toBe(200);
      expect(through.body.meta.engine).toBe("trino");
      expect(ours.error, sql).toBeUndefined();
      expect(through.body.columns).toEqual(ours.columns!.map(({ name }) => name));
      const shape = { names: through.body.columns, types: [] as string[] };
      const asRows = (rows: unknown[][]): Answer => ({ kind: "rows", ...shape, rows });
      const throughRows = asRows(through.body.data.map((row) => Object.values(row).map(plain)));
      const duckRows = asRows(ours.data!.map((row) => row.map(plain)));
      verdicts.push(compare(sql, throughRows, duckRows).why);
      if (bare.kind !== "rows") throw new Error(bare.message);
      verdicts.push(compare(sql, throughRows, asRows(bare.rows.map((row) => row.map(plain)))).why);
    }
  } finally {
    isOver = true;
    await writer;
  }
  expect(verdicts.filter((why) => why !== "")).toEqual([]);
  expect(commits).toBeGreaterThan(5);
});

/** Whole numbers and decimals as texts, as `numbers=string` has them. */
const plain = (value: unknown): unknown =>
  typeof value === "number" && Number.isInteger(value) ? String(value) : value;

it("counts what the cluster has read", async () => {
  const { body } = await ask("SELECT sum(l_extendedprice) AS s FROM tpch.lineitem", "trino");
  expect(body.meta.bytesRead).toBeGreaterThan(1_000);
});

it("says where a statement is wrong, in the text as it was sent", async () => {
  const { status, body } = await ask("SELECT n_name,\n  no_such FROM tpch.nation", "trino");
  expect(status).toBe(400);
  expect(JSON.stringify(body)).toContain("COLUMN_NOT_FOUND");
  expect(body).toMatchObject({ error: { line: 2, column: 3 } });
});

/** Its groups are spread over all nodes. */
const ENDLESS =
  "SELECT a.l_orderkey, count(*) FROM tpch.lineitem a, tpch.lineitem b " +
  "WHERE a.l_comment < b.l_comment || 'x' GROUP BY a.l_orderkey";

it("runs no longer once its sender does not wait, or has no more time", async () => {
  const failed = await ask(ENDLESS, "trino", { timeout_ms: 4_000 });
  expect(failed.status).toBe(408);
  await expect.poll(running).toBe(0);
});

describe("what is lost", () => {
  it("a worker in mid-statement is a failure that says to try again, and no row passes for whole", async () => {
    const asked = ask(ENDLESS, "trino", { timeout_ms: 120_000 });
    await expect.poll(running).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    await cluster.killWorker();
    const { status, body } = await asked;
    expect(body.success).toBe(false);
    expect(status, JSON.stringify(body)).toBe(503);
    expect(body).toMatchObject({ error: { code: "source_unavailable", retryable: true } });
    expect(JSON.stringify(body)).toContain("node of the cluster was lost");
    // The cluster goes on with the node that is left.
    await expect.poll(async () => (await ask("SELECT count(*) AS n FROM tpch.nation", "trino")).status).toBe(200);
  });

  it("the key that the cluster has for the lake is named by the error", async () => {
    expect((await call("DELETE", `${INTEGRATIONS}/${integration}/lake_key`)).status).toBe(204);
    const { status, body } = await ask("SELECT count(*) FROM tpch.supplier", "trino");
    expect(status, JSON.stringify(body)).toBe(400);
    expect(JSON.stringify(body)).toContain("key");
    expect(body).toMatchObject({ error: { code: "connection_failed" } });
  });

  it("the cluster itself is a failure that says to try again, within 15 s", async () => {
    await cluster.stop();
    const startedAt = performance.now();
    const { status, body } = await ask("SELECT count(*) FROM tpch.nation", "trino");
    expect(status, JSON.stringify(body)).toBe(503);
    expect(performance.now() - startedAt).toBeLessThan(15_000);
  });
});
