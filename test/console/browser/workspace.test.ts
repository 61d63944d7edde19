// The SQL workspace beyond rows and charts: whole results as files, and pivots that the database computes.

import { DuckDBInstance } from "@duckdb/node-api";
import pg from "pg";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, it } from "vitest";
import { openChromium } from "../../support/node/console/chromium.ts";
import { seriousFlaws } from "../../support/node/console/flaws.ts";
import { visitConsole, type Visit } from "../../support/node/console/visit.ts";
import { Workspace } from "../../support/node/console/workspace.ts";

const { baseUrl, key } = inject("platform");
const server = inject("postgres");
const DATABASE = "workspace";
/** The last digits are beyond a double's. */
const VALUES = `(VALUES ('NO', 2024, 9007199254740993), ('NO', 2025, 1), ('SE', 2024, NULL), (NULL, 2025, 2), ('NO', NULL, 4)) AS t(land, year, n)`;

let browser: Browser;
let visit: Visit;
let page: Page;
let workspace: Workspace;

beforeAll(async () => {
  browser = await openChromium();
  const client = new pg.Client({ ...server, user: server.username, database: "postgres" });
  await client.connect();
  await client.query(`CREATE DATABASE ${DATABASE}`).finally(() => client.end());
  const { host, port, username, password } = server;
  const made = await fetch(`${baseUrl}/v1/api/integrations`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({
      type: "postgres",
      name: "Workspace",
      credentials: { host, port: String(port), database: DATABASE, username, password },
    }),
  });
  expect(made.status, await made.text()).toBe(201);
});
afterAll(() => browser?.close());

beforeEach(async () => {
  visit = await visitConsole(browser, baseUrl, { key });
  page = visit.page;
  workspace = new Workspace(page);
  await visit.open("/query");
});
afterEach(async () => {
  const offences = visit.offences();
  await visit.end();
  expect(offences).toEqual([]);
});

const PIVOT = "Pivot of the result";
const EXPECTED = [
  ["land", "2024", "2025", "NULL", "All"],
  ["NO", "9007199254740993", "1", "4", "9007199254740998"],
  ["SE", "NULL", "", "", "NULL"],
  ["NULL", "", "2", "", "2"],
];

it("exports a whole result as Parquet, which DuckDB reads", async () => {
  await workspace.run("SELECT range AS n, 'text ' || range AS t, [range] AS list FROM range(250000)");
  await page.getByRole("button", { name: "Export" }).click();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("menuitem", { name: "Parquet" }).click(),
  ]);
  expect(download.suggestedFilename()).toBe("result.parquet");
  const file = await download.path();
  const connection = await (await DuckDBInstance.create(":memory:")).connect();
  const read = await connection.runAndReadAll(
    `SELECT count(*)::INTEGER, sum(n)::BIGINT, count(DISTINCT t)::INTEGER, sum(list[1])::BIGINT FROM read_parquet('${file}')`,
  );
  expect(read.getRowsJson()).toEqual([[250_000, "31249875000", 250_000, "31249875000"]]);
  connection.closeSync();
});

it("pivots a result of the lake there, with every digit, and keeps with the tab what the pivot is made of", async () => {
  await workspace.run(`SELECT * FROM ${VALUES}`);
  await workspace.show("Pivot");
  // By the first column that is no number, its rows are counted.
  await expect
    .poll(() => workspace.cellsOf(PIVOT))
    .toEqual([
      ["land", "Rows"],
      ["NO", "3"],
      ["SE", "1"],
      ["NULL", "1"],
    ]);
  await workspace.choose("Column to spread", "year");
  await workspace.choose("Value", "n");
  await workspace.choose("Aggregate", "Sum");
  await expect.poll(() => workspace.cellsOf(PIVOT)).toEqual(EXPECTED);
  expect(await seriousFlaws(page)).toEqual([]);
  await page.reload();
  await page.locator(".cm-content", { hasText: "VALUES" }).waitFor();
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await expect.poll(() => workspace.cellsOf(PIVOT)).toEqual(EXPECTED);
  await workspace.choose("Aggregate", "Distinct values");
  await expect.poll(async () => (await workspace.cellsOf(PIVOT))[1]).toEqual(["NO", "1", "1", "1", "3"]);
});

it("pivots a result of a database in that database, by all aggregates", async () => {
  await workspace.choose("Run on", "Workspace (postgres)");
  await workspace.run(`SELECT land, year, n::numeric(20, 2) AS n FROM ${VALUES}`);
  await workspace.show("Pivot");
  await workspace.choose("Column to spread", "year");
  await workspace.choose("Value", "n");
  const firsts: [string, string[]][] = [
    ["Sum", ["NO", "9007199254740993.00", "1.00", "4.00", "9007199254740998.00"]],
    ["Minimum", ["NO", "9007199254740993.00", "1.00", "4.00", "1.00"]],
    ["Maximum", ["NO", "9007199254740993.00", "1.00", "4.00", "9007199254740993.00"]],
    ["Count", ["NO", "1", "1", "1", "3"]],
    ["Distinct values", ["NO", "1", "1", "1", "3"]],
  ];
  for (const [aggregate, first] of firsts) {
    await workspace.choose("Aggregate", aggregate);
    await expect.poll(async () => (await workspace.cellsOf(PIVOT))[1], { message: aggregate }).toEqual(first);
  }
  await workspace.choose("Aggregate", "Average");
  await expect.poll(async () => (await workspace.cellsOf(PIVOT))[1]?.at(-1)).toMatch(/^3002399751580332\.666/);
});

it("says what a pivot leaves out, and what it can't be made of", async () => {
  await workspace.run("SELECT range % 300 AS spread, 'one' AS land FROM range(3000)");
  await workspace.show("Pivot");
  await workspace.choose("Column to spread", "spread");
  await page.getByText("It is cut: the first 200 of 300 values of spread.").waitFor();
  await workspace.run("SELECT range AS n, range::VARCHAR AS land FROM range(60000)");
  await page.getByText("This pivot has more than 50,000 groups.").waitFor();
  await workspace.run("EXPLAIN SELECT 1");
  await page.getByText("Nothing to pivot").waitFor();
});
