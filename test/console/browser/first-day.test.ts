// A newcomer's first day in a browser: a database is connected and synced, asked, drawn, kept and put on a dashboard; a
// doc runs and is scheduled, a file is uploaded and queried. Each step begins where the one before it ended.

import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, it } from "vitest";
import { openChromium } from "../../support/node/console/chromium.ts";
import { newPostgres } from "../../support/node/sources/sources.ts";
import { visitConsole, type Visit } from "../../support/node/console/visit.ts";

const { baseUrl, key } = inject("platform");
const server = inject("postgres");
const DATABASE = "first_day";
const ROWS = 1_000;
const QUESTION = `SELECT kind, count(*) AS visits, sum(seconds) AS seconds
FROM LAKE.first_day.visits GROUP BY kind ORDER BY kind`;

let browser: Browser;
let visit: Visit;
let page: Page;

beforeAll(async () => {
  await newPostgres(
    server,
    DATABASE,
    `CREATE TABLE visits (id int PRIMARY KEY, kind text, seconds bigint);
     INSERT INTO visits SELECT i, 'kind ' || i % 4, i * 9007199254740 FROM generate_series(1, ${ROWS}) i; ANALYZE`,
  );
  browser = await openChromium();
});
afterAll(() => browser?.close());

beforeEach(async () => {
  visit = await visitConsole(browser, baseUrl, { key });
  page = visit.page;
});
afterEach(async () => {
  const offences = visit.offences();
  await visit.end();
  expect(offences).toEqual([]);
});

it("connects a PostgreSQL, and says of a wrong password that it is the password", async () => {
  visit.expectStatus(400);
  await visit.open("/integrations/new");
  await page.getByRole("link", { name: /PostgreSQL/ }).click();
  await page.getByLabel("Name", { exact: true }).fill("First day");
  await page.getByLabel("Host").fill(server.host);
  await page.getByLabel("Port").fill(String(server.port));
  await page.getByRole("textbox", { name: "Database" }).fill(DATABASE);
  await page.getByLabel("User").fill(server.username);
  await page.getByRole("textbox", { name: "Password" }).fill("wrong");
  await page.getByRole("button", { name: "Test and save" }).click();
  await page.locator('li[data-state="failed"]', { hasText: /password|login/i }).waitFor();
  await page.getByRole("textbox", { name: "Password" }).fill(server.password);
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/integrations\/(?!new)/);
  await page.getByRole("heading", { name: "First day" }).waitFor();
});

it("syncs a table that is picked from its list, and follows the run to its end", async () => {
  await visit.open("/syncs/new");
  await page.getByRole("combobox", { name: "From" }).click();
  await page.getByRole("option", { name: "First day" }).click();
  await page.getByRole("checkbox", { name: "public.visits" }).check();
  await page.getByRole("button", { name: "Make the sync and run it" }).click();
  await page.waitForURL(/\/runs\//);
  await page.getByText("succeeded").first().waitFor();
  await page.getByText(ROWS.toLocaleString("en-US")).first().waitFor();
});

it("asks the lake by keyboard alone, draws the answer, keeps the question, and puts it on a dashboard", async () => {
  await visit.open("/query");
  const editor = page.locator(".cm-content");
  await editor.focus();
  await page.keyboard.insertText(QUESTION);
  await page.keyboard.press("Control+Enter");
  // 250 numbers of i * 9007199254740 each: beyond what a double holds.
  await page.getByText(sumOf(0), { exact: true }).waitFor();
  await page.getByRole("radio", { name: "Chart" }).focus();
  await page.keyboard.press("Space");
  await page.getByLabel("Chart of the result").waitFor();

  await page.getByRole("button", { name: "Save …" }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("textbox", { name: "Name" }).fill("Visits by kind");
  await page.keyboard.press("Enter");
  await page.getByText("It is listed under Saved queries").waitFor();

  await page.getByRole("button", { name: "More" }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("menuitem", { name: "Put on a dashboard …" }).focus();
  await page.keyboard.press("Enter");
  await page.getByLabel("Its name").fill("First board");
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/dashboards\//);
  await page.getByRole("article", { name: "Visits by kind" }).locator("canvas, svg").first().waitFor();
});

it("lists what was kept", async () => {
  await visit.open("/queries");
  await page.getByRole("link", { name: "Visits by kind" }).click();
  await page.getByRole("heading", { name: "Visits by kind" }).waitFor();
  await page.getByRole("button", { name: "Open in a tab" }).click();
  await page.locator(".cm-content", { hasText: "GROUP BY kind" }).waitFor();
});

it("runs a doc of a question, and gives it a schedule", async () => {
  await visit.open("/docs/new");
  await page.getByRole("button", { name: "Create" }).click();
  await page.getByRole("heading", { name: "Orders a month" }).waitFor();
  await page.getByRole("button", { name: "Run …" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Run", exact: true }).click();
  await page.waitForURL(/\/runs\//);
  await page.getByText("succeeded").first().waitFor();

  await visit.open("/automations");
  await page.getByRole("button", { name: "New job" }).first().click();
  await page.getByRole("combobox", { name: "What it runs" }).click();
  await page.getByRole("option", { name: "Orders a month" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Orders every morning");
  await page.getByRole("button", { name: "Make the job" }).click();
  await page.getByRole("link", { name: "Orders every morning" }).waitFor();
});

it("uploads a file, and queries it", async () => {
  await visit.open("/drive?path=first-day%2F");
  const chosen = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Upload" }).click();
  const content = Buffer.from("day,visits\n2026-05-01,120\n2026-05-02,9007199254740993\n");
  await (await chosen).setFiles({ name: "visits.csv", mimeType: "text/csv", buffer: content });
  await page.getByRole("button", { name: "visits.csv", exact: true }).click();
  await page.getByText("9007199254740993").waitFor();
  await page.getByRole("link", { name: "Query this file" }).click();
  await page.waitForURL(/\/query/);
  await page.locator(".cm-content", { hasText: "visits.csv" }).waitFor();
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.getByText("9007199254740993").waitFor();
});

/** The exact sum of `seconds` of one kind. */
function sumOf(kind: number): string {
  let sum = 0n;
  for (let i = 1; i <= ROWS; i++) if (i % 4 === kind) sum += BigInt(i) * 9_007_199_254_740n;
  return String(sum);
}
