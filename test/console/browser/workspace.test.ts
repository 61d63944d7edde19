// The SQL workspace beyond rows and charts: whole results as files, and pivots that the database computes.

import { DuckDBInstance } from "@duckdb/node-api";
import pg from "pg";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, it } from "vitest";
import { openChromium } from "../../support/node/console/chromium.ts";
import { seriousFlaws } from "../../support/node/console/flaws.ts";
import { visitConsole, type Visit } from "../../support/node/console/visit.ts";

const { baseUrl, key } = inject("platform");
const server = inject("postgres");
const DATABASE = "workspace";
/** The last digits are beyond a double's. */
const VALUES = `(VALUES ('NO', 2024, 9007199254740993), ('NO', 2025, 1), ('SE', 2024, NULL), (NULL, 2025, 2), ('NO', NULL, 4)) AS t(land, year, n)`;

let browser: Browser;
let visit: Visit;
let page: Page;

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
  await visit.open("/query");
});
afterEach(async () => {
  const offences = visit.offences();
  await visit.end();
  expect(offences).toEqual([]);
});

async function run(sql: string): Promise<void> {
  await page.locator(".cm-content").focus();
  await page.keyboard.press("Control+A");
  await page.keyboard.insertText(sql);
  await page.keyboard.press("Control+Enter");
  await page.getByRole("status").getByText("Done").waitFor();
}

const show = (view: string) =>
  page.getByRole("radiogroup", { name: "How the result is shown" }).getByText(view, { exact: true }).click();

async function choose(label: string, option: string): Promise<void> {
  await page.getByRole("combobox", { name: label }).click();
  await page.getByRole("option", { name: option, exact: true }).click();
}

/** What a grid shows, row by row, its head first. */
async function cellsOf(name: string): Promise<string[][]> {
  const grid = page.getByRole("grid", { name });
  const heads = await grid.getByRole("columnheader").locator("button > span:first-child").allTextContents();
  const rows = await grid
    .getByRole("row")
    .filter({ has: page.getByRole("gridcell") })
    .all();
  const cells = await Promise.all(rows.map((row) => row.getByRole("gridcell").allTextContents()));
  return [heads, ...cells];
}

const PIVOT = "Pivot of the result";
const EXPECTED = [
  ["land", "2024", "2025", "NULL", "All"],
  ["NO", "9007199254740993", "1", "4", "9007199254740998"],
  ["SE", "NULL", "", "", "NULL"],
  ["NULL", "", "2", "", "2"],
];

it("exports a whole result as Parquet, which DuckDB reads", async () => {
  await run("SELECT range AS n, 'text ' || range AS t, [range] AS list FROM range(250000)");
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
  await run(`SELECT * FROM ${VALUES}`);
  await show("Pivot");
  // By the first column that is no number, its rows are counted.
  await expect
    .poll(() => cellsOf(PIVOT))
    .toEqual([
      ["land", "Rows"],
      ["NO", "3"],
      ["SE", "1"],
      ["NULL", "1"],
    ]);
  await choose("Column to spread", "year");
  await choose("Value", "n");
  await choose("Aggregate", "Sum");
  await expect.poll(() => cellsOf(PIVOT)).toEqual(EXPECTED);
  expect(await seriousFlaws(page)).toEqual([]);
  await page.reload();
  await page.locator(".cm-content", { hasText: "VALUES" }).waitFor();
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await expect.poll(() => cellsOf(PIVOT)).toEqual(EXPECTED);
  await choose("Aggregate", "Distinct values");
  await expect.poll(async () => (await cellsOf(PIVOT))[1]).toEqual(["NO", "1", "1", "1", "3"]);
});

it("pivots a result of a database in that database, by all aggregates", async () => {
  await choose("Run on", "Workspace (postgres)");
  await run(`SELECT land, year, n::numeric(20, 2) AS n FROM ${VALUES}`);
  await show("Pivot");
  await choose("Column to spread", "year");
  await choose("Value", "n");
  const firsts: [string, string[]][] = [
    ["Sum", ["NO", "9007199254740993.00", "1.00", "4.00", "9007199254740998.00"]],
    ["Minimum", ["NO", "9007199254740993.00", "1.00", "4.00", "1.00"]],
    ["Maximum", ["NO", "9007199254740993.00", "1.00", "4.00", "9007199254740993.00"]],
    ["Count", ["NO", "1", "1", "1", "3"]],
    ["Distinct values", ["NO", "1", "1", "1", "3"]],
  ];
  for (const [aggregate, first] of firsts) {
    await choose("Aggregate", aggregate);
    await expect.poll(async () => (await cellsOf(PIVOT))[1], { message: aggregate }).toEqual(first);
  }
  await choose("Aggregate", "Average");
  await expect.poll(async () => (await cellsOf(PIVOT))[1]?.at(-1)).toMatch(/^3002399751580332\.666/);
});

it("says what a pivot leaves out, and what it can't be made of", async () => {
  await run("SELECT range % 300 AS spread, 'one' AS land FROM range(3000)");
  await show("Pivot");
  await choose("Column to spread", "spread");
  await page.getByText("It is cut: the first 200 of 300 values of spread.").waitFor();
  await run("SELECT range AS n, range::VARCHAR AS land FROM range(60000)");
  await page.getByText("This pivot has more than 50,000 groups.").waitFor();
  await run("EXPLAIN SELECT 1");
  await page.getByText("Nothing to pivot").waitFor();
});
