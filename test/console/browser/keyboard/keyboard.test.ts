// Everything that people come for is done by keyboard alone: no mouse, and no control that the test focuses by itself.
// Each step begins where the one before it ended.

import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, inject, it } from "vitest";
import { openChromium } from "../../../support/node/console/chromium.ts";
import { Keyboard } from "../../../support/node/console/keyboard.ts";
import { newPostgres } from "../../../support/node/sources/sources.ts";
import { visitConsole, type Visit } from "../../../support/node/console/visit.ts";

const { baseUrl, key } = inject("platform");
const server = inject("postgres");

let browser: Browser;
let visit: Visit;
let page: Page;
let keys: Keyboard;

beforeAll(async () => {
  await newPostgres(
    server,
    DATABASE,
    "CREATE TABLE visits AS SELECT i AS id, 'kind ' || i % 4 AS kind FROM generate_series(1, 400) i",
  );
  browser = await openChromium();
  visit = await visitConsole(browser, baseUrl);
  page = visit.page;
  keys = new Keyboard(page);
});
afterAll(() => browser?.close());
afterEach(() => expect(visit.offences()).toEqual([]));

/** Names of this run of the file: the platform is that of other files, too. */
const MARK = crypto.randomUUID().slice(0, 8);
const [DATABASE, SOURCE] = [`by_keyboard_${MARK}`, `Source ${MARK}`];
const [EMAIL, MEMBER, ROLE] = [`${MARK}@example.com`, `Member ${MARK}`, `Role ${MARK}`];
const [DOC, BOARD, TILE] = [`Doc ${MARK}`, `Board ${MARK}`, `Orders by status ${MARK}`];
const [JOB, FILE, SECRET] = [`Job ${MARK}`, `${MARK}.csv`, `SECRET_${MARK}`];
const DOC_TEXT = `{version: 1, schemaVersion: "2025-01", kind: pipeline, metadata: {name: ${DOC}}, datasets: {n: {engine: sql, sql: SELECT 42 AS n}}}`;
const BOARD_TEXT = `{version: 1, schemaVersion: "2025-01", kind: dashboard, metadata: {name: ${BOARD}}, filters: [{id: status, label: Status, target: {field: status}, values: [delivered, returned]}], datasets: {orders: {engine: sql, sql: "SELECT status, count(*) AS n FROM LAKE.sample.orders GROUP BY status"}}, layout: {tiles: [{id: left, x: 0, y: 0, w: 18, h: 6, type: table, source: orders}, {id: right, x: 18, y: 0, w: 18, h: 6, type: markdown, content: Hello}]}}`;

const button = (name: string | RegExp) => page.getByRole("button", { name, exact: true });
const field = (name: string) => page.getByRole("textbox", { name, exact: true });
const list = (name: string) => page.getByRole("combobox", { name, exact: true });
const heading = (name: string) => page.getByRole("heading", { name, exact: true });
const dialog = () => page.getByRole("dialog");

/** Presses a button whose request is held back: it keeps the focus, and another press asks nothing more. */
async function keepsItsPlaceAtWork(pressed: Locator, path: string): Promise<void> {
  const held = Promise.withResolvers<void>();
  let requests = 0;
  await page.route(path, async (route) => {
    requests++;
    await held.promise;
    await route.continue();
  });
  await keys.use(pressed);
  await page.locator('button:focus[aria-busy="true"]').waitFor();
  await keys.press("Enter");
  held.resolve();
  await page.locator('button:focus:not([aria-busy="true"])').waitFor();
  expect([requests, await pressed.and(page.locator(":focus")).count()]).toEqual([1, 1]);
  await page.unroute(path);
}

it("signs in", async () => {
  // Asking who is signed in is answered 401 before somebody is.
  visit.expectStatus(401);
  await page.goto("/app");
  await keys.fill(field("API key"), key);
  await keys.press("Enter");
  await heading("Demo").waitFor();
});

it("connects a database, syncs a table of it, and follows the run to its end", async () => {
  await keys.goTo("Integrations");
  await keys.use(page.getByRole("link", { name: "Connect" }));
  await keys.use(page.getByRole("link", { name: /^PostgreSQL/ }));
  await keys.fill(field("Name"), SOURCE);
  await keys.fill(field("Host"), server.host);
  await keys.fill(field("Port"), String(server.port));
  await keys.fill(field("Database"), DATABASE);
  await keys.fill(field("User"), server.username);
  await keys.fill(field("Password"), server.password);
  await keys.press("Enter");
  await heading(SOURCE).waitFor();
  await keepsItsPlaceAtWork(button("Test"), "**/v1/api/integrations/*/test");

  await keys.goTo("Syncs");
  await keys.use(page.getByRole("link", { name: "Make a sync" }).first());
  await keys.choose(list("From"), SOURCE);
  await keys.use(page.getByRole("checkbox", { name: "public.visits" }), "Space");
  await keys.use(button("Make the sync and run it"));
  await page.waitForURL(/\/runs\//);
  await page.getByText("succeeded").first().waitFor();
});

it("asks a statement, walks its rows, opens a column, sorts by it and copies cells", async () => {
  await keys.goTo("Query");
  const editor = field("SQL");
  await keys.tabTo(editor);
  await keys.type("SELECT i AS number, i % 7 AS day, 'x' || i AS word FROM range(1, 5001) t(i)");
  await keys.press("Control+Enter");
  const rows = page.getByRole("grid", { name: "Rows of the result" });
  await rows.getByText("x1", { exact: true }).waitFor();
  // Tab belongs to the editor, which says how it is left.
  await keys.press("Tab");
  await page.getByText("Escape and then Tab leaves the editor").waitFor();
  await keys.press("Backspace");
  await keys.leaveEditor();
  await keys.tabTo(rows);
  await keys.press("Control+End");
  await rows.getByText("x5000", { exact: true }).waitFor();
  await keys.press("Control+Home", "Enter");
  const menu = dialog();
  await menu.getByRole("img", { name: "Histogram" }).waitFor();
  await keys.press("Escape");
  await menu.waitFor({ state: "detached" });
  // The grid has the focus again, at the cell that it had left.
  await keys.press("Enter");
  await keys.use(button("Sort descending"));
  await page.getByText("by number descending").waitFor();
  await rows.getByText("x5000", { exact: true }).waitFor();
  await keys.press("ArrowDown", "ArrowUp", "Shift+ArrowRight", "Shift+ArrowRight", "Control+C");
  await keys.tabTo(editor, "Shift+Tab");
  await keys.press("Control+A", "Control+V");
  await editor.getByText("5000\t2\tx5000").waitFor();
  await keys.press("Control+Z");
});

it("saves the query, and puts it on a dashboard", async () => {
  await keys.press("Control+A");
  await keys.type("SELECT status, count(*) AS orders FROM LAKE.sample.orders GROUP BY status ORDER BY orders DESC");
  await keys.press("Control+Enter");
  await page.getByRole("grid").getByText("delivered").waitFor();
  await keys.leaveEditor("Shift+Tab");
  await keys.tabTo(button("Save …"), "Shift+Tab");
  await keys.press("Enter");
  await keys.fill(field("Name"), TILE);
  await keys.press("Enter");
  await page.getByText("It is listed under Saved queries").waitFor();
  await keys.chooseItem(button("More"), "Put on a dashboard …");
  await keys.fill(field("Its name"), TILE);
  await keys.press("Enter");
  await page.getByRole("article", { name: TILE }).getByText("delivered").or(page.locator("canvas")).first().waitFor();
});

it("writes a doc, runs it, and gives it a schedule", async () => {
  await keys.goTo("Docs");
  await keys.use(page.getByRole("link", { name: "New doc" }).first());
  await keys.tabTo(field("The doc's text"));
  await keys.press("Control+A");
  await keys.type(DOC_TEXT);
  await keys.leaveEditor("Shift+Tab");
  await keys.tabTo(button("Create"), "Shift+Tab");
  await keys.press("Enter");
  await heading(DOC).waitFor();
  await keys.use(button("Run …"));
  await keys.use(dialog().getByRole("button", { name: "Run", exact: true }));
  await page.waitForURL(/\/runs\//);
  await page.getByText("succeeded").first().waitFor();

  await keys.goTo("Jobs");
  await keys.use(button("New job …").first());
  await keys.choose(list("What it runs"), DOC);
  await keys.fill(field("Name"), JOB);
  await keys.use(button("Make the job"));
  await page.getByRole("link", { name: JOB }).waitFor();
});

it("writes a dashboard, filters it, moves and resizes its tiles, and hears where there is no room", async () => {
  await keys.goTo("Docs");
  await keys.use(page.getByRole("link", { name: "New doc" }).first());
  await keys.tabTo(field("The doc's text"));
  await keys.press("Control+A");
  await keys.type(BOARD_TEXT);
  await keys.press("Control+S");
  await heading(BOARD).waitFor();
  await keys.use(page.getByRole("link", { name: "Open the dashboard" }));
  const orders = page.getByRole("article", { name: "left" });
  await orders.getByText("cancelled").waitFor();
  await keys.choose(list("Status"), "returned");
  await orders.getByText("cancelled").waitFor({ state: "detached" });
  await keys.tabTo(button("Edit"), "Shift+Tab");
  await keys.press("Enter");

  await keys.tabTo(page.getByRole("button", { name: "left: column 0, row 0, 18 by 6" }));
  await keys.press("ArrowRight");
  await page.getByText("There is no room for left there.").waitFor();
  await keys.press("Shift+ArrowLeft", "ArrowRight");
  await page.getByRole("button", { name: "left: column 1, row 0, 17 by 6" }).waitFor();
  // Below the other one, and on to the right: the focus goes with the tile.
  for (let row = 0; row < 6; row++) await keys.press("ArrowDown");
  await keys.press("ArrowRight", "Shift+ArrowDown");
  await page.getByRole("button", { name: "left: column 2, row 6, 17 by 7" }).and(page.locator(":focus")).waitFor();
  await keys.tabTo(button("See what changes, and save"), "Shift+Tab");
  await keys.press("Enter");
  await dialog().getByText("y: 6").waitFor();
  await keys.use(dialog().getByRole("button", { name: "Save", exact: true }));
  await button("Edit").waitFor();
});

it("uploads a file, looks into it, and queries it", async () => {
  await keys.goTo("Drive");
  const chosen = page.waitForEvent("filechooser");
  await keys.use(button("Upload"));
  // The browser's own dialog takes over here.
  const content = Buffer.from("day,visits\n2026-05-01,9007199254740993\n");
  await (await chosen).setFiles({ name: FILE, mimeType: "text/csv", buffer: content });
  await keys.use(button(FILE));
  await page.getByText("9007199254740993").waitFor();
  await keys.press("Escape");
  await button(FILE).and(page.locator(":focus")).waitFor();
  await keys.press("Enter");
  await keys.use(page.getByRole("link", { name: "Query this file" }));
  await field("SQL").getByText(FILE).waitFor();
  await keys.press("Control+Enter");
  await page.getByRole("grid").getByText("9007199254740993").waitFor();
});

it("makes a role that grants something and has a member, and a key for somebody", async () => {
  await keys.goTo("People");
  await keys.use(button("Add a member").first());
  await keys.fill(field("Name"), MEMBER);
  await keys.fill(field("E-mail"), EMAIL);
  await keys.press("Enter");
  await heading(MEMBER).waitFor();

  await keys.goTo("Data roles");
  await keys.use(button("Make a role").first());
  await keys.fill(field("Name"), ROLE);
  await keys.press("Enter");
  await heading(ROLE).waitFor();
  await keys.use(button("Grant something"));
  await keys.tabTo(list("Integration"), "Shift+Tab");
  await keys.choose(list("Integration"), "Lake");
  await keys.fill(field("Schema"), "sample");
  const goOn = await holdBack(page, /\/roles\/[^/]+$/);
  await keys.use(button("Save"));
  await page.getByText("It holds from the next statement on").waitFor();
  const somebody = list("Put somebody into the role");
  await keys.tabTo(somebody);
  // What is stored comes in without anybody losing their place on the page.
  await goOn();
  await somebody.and(page.locator(":focus")).waitFor();
  await keys.choose(somebody, `${MEMBER} (${EMAIL})`);
  await keys.use(page.getByRole("link", { name: MEMBER }));
  await heading(MEMBER).waitFor();
  await keys.use(button("Make a key"));
  await keys.fill(field("Name"), "A key");
  await keys.press("Enter");
  await dialog().getByText("Copy it now").waitFor();
  await keys.press("Escape");
  await page.getByRole("cell", { name: "A key" }).waitFor();
});

it("changes a setting, and keeps a secret", async () => {
  await keys.goTo("Settings");
  const internet = page.getByRole("switch", { name: /^Docs' Python reaches the internet/ });
  await internet.waitFor();
  const before = await internet.isChecked();
  await keys.use(internet, "Space");
  await expect.poll(() => internet.isChecked()).toBe(!before);
  await keys.fill(field("Name"), SECRET);
  await keys.fill(field("Value"), "a secret");
  await keys.press("Enter");
  await page.getByRole("cell", { name: SECRET }).waitFor();
  await keys.tabTo(button("Delete"), "Shift+Tab");
  await keys.press("Enter");
  await keys.use(button("Delete it"));
  await page.getByRole("cell", { name: SECRET }).waitFor({ state: "detached" });
});

it("is kept within a dialog until that ends, and is where it was before then", async () => {
  await keys.goTo("Jobs");
  const [opener, opened] = [button("New job …").first(), dialog()];
  await keys.use(opener);
  await opened.waitFor();
  for (let stops = 0; stops < 20; stops++) {
    await keys.press("Tab");
    await opened.locator(":focus").waitFor();
  }
  await keys.press("Escape");
  await opened.waitFor({ state: "detached" });
  await opener.and(page.locator(":focus")).waitFor();

  await keys.use(page.getByRole("link", { name: JOB }));
  await keys.use(button("Delete"));
  await keys.use(button("Keep it"));
  await button("Delete").and(page.locator(":focus")).waitFor();
});

/** Answers to reading such addresses wait until the test goes on, and have come when that ends. */
async function holdBack(page: Page, url: RegExp): Promise<() => Promise<void>> {
  let goOn = () => {};
  const held = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  await page.route(url, async (route) => {
    if (route.request().method() === "GET") await held;
    await route.continue();
  });
  const answered = page.waitForResponse((answer) => answer.request().method() === "GET" && url.test(answer.url()));
  return async () => {
    goOn();
    await (await answered).finished();
    await page.unroute(url);
  };
}
