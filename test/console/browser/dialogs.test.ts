// Every kind of dialog and menu, opened: axe finds nothing serious in it, in both colour schemes, and it is pictured
// for people to look at.

import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { ask } from "../../support/node/console/api.ts";
import { openChromium } from "../../support/node/console/chromium.ts";
import { seriousFlaws } from "../../support/node/console/flaws.ts";
import { uploadFile } from "../../support/node/console/published.ts";
import { visitConsole } from "../../support/node/console/visit.ts";
import { root } from "../../support/node/platform/platform.ts";

const admin = inject("platform");
const PICTURES = join(root, "node_modules/.cache/console-pictures");
const MARK = crypto.randomUUID().slice(0, 8);
const SQL = "SELECT status, count(*) AS orders FROM LAKE.sample.orders GROUP BY status";

/** What is opened at a path by what is pressed there, one after the other. Without a path, on the page as it is. */
type Opened = { path?: string; press: Control[]; role: "dialog" | "menu" | "listbox" };
type Control = (page: Page) => Locator;
const button =
  (name: string | RegExp): Control =>
  (page) =>
    page.getByRole("button", { name }).first();
const list =
  (name: string): Control =>
  (page) =>
    page.getByRole("combobox", { name });

let browser: Browser;
let opened: Record<string, Opened>;

beforeAll(async () => {
  await mkdir(PICTURES, { recursive: true });
  browser = await openChromium();
  opened = await dialogsOf(await makeThings());
});
afterAll(() => browser?.close());

it.each(["light", "dark"] as const)("is well in every dialog and menu: %s", { timeout: 300_000 }, async (scheme) => {
  const { page, open, offences, end } = await visitConsole(browser, admin.baseUrl, { ...admin, scheme });
  await runStatement(page, open);
  const flaws: string[] = [];
  for (const [name, { path, press, role }] of Object.entries(opened)) {
    if (path !== undefined) await goTo(page, path);
    for (const control of press) await control(page).click();
    await page.getByRole(role).first().waitFor();
    await page.locator(`[role="${role}"] [aria-busy="true"]`).first().waitFor({ state: "detached" });
    await page.screenshot({ path: join(PICTURES, `${scheme}-dialog-${name}.png`) });
    for (const flaw of await seriousFlaws(page, `[role="${role}"]`)) flaws.push(`${name}: ${flaw}`);
    await closeAll(page);
  }
  expect([flaws, offences()]).toEqual([[], []]);
  await end();
});

/** Without loading the page anew. */
const goTo = (page: Page, path: string) =>
  page.evaluate(`history.pushState(null, "", ${JSON.stringify(`/app${path}`)})`);

/** Escape closes what was opened last: a list within a dialog before the dialog. */
async function closeAll(page: Page): Promise<void> {
  const all = page.locator('[role="dialog"], [role="menu"]');
  const closeOne = async () => {
    if ((await all.count()) > 0) await page.keyboard.press("Escape");
    return all.count();
  };
  await expect.poll(closeOne).toBe(0);
}

/** The workspace keeps its tab, so that what its result opens can be looked at. */
async function runStatement(page: Page, open: (path: string) => Promise<void>): Promise<void> {
  await open("/query");
  await page.locator(".cm-content").focus();
  await page.keyboard.insertText(SQL);
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.getByRole("grid").getByText("delivered").waitFor();
}

type Things = {
  termId: string;
  docId: string;
  boardId: string;
  queryId: string;
  userId: string;
  lakeId: string;
  file: string;
};

async function makeThings(): Promise<Things> {
  const dataset = { orders: { engine: "sql", sql: SQL } };
  const tile = { id: "rows", x: 0, y: 0, w: 18, h: 8, type: "table", source: "orders" };
  const post = async (path: string, body: object) => (await ask(admin, "POST", path, body)).data;
  const doc = { version: 1, metadata: { name: `Doc ${MARK}` }, datasets: dataset };
  const [made, board, query, user] = await Promise.all([
    post("/v4/docs", { ...doc, kind: "pipeline" }),
    post("/v4/docs", { ...doc, kind: "dashboard", layout: { tiles: [tile] } }),
    post("/v4/queries", { name: `Query ${MARK}`, sql: SQL }),
    post("/v4/users", { name: "Grace", email: `${MARK}@example.com`, role: "member" }),
  ]);
  const file = `${MARK}.csv`;
  const term = await post("/v4/glossary", { term: `Term ${MARK}`, definition: "x" });
  await uploadFile(admin, file, "day,visits\n2026-05-01,120\n");
  const lakeId = (await ask(admin, "GET", "/v1/api/integrations?type=lake")).data[0].id as string;
  const id = (thing: Record<string, unknown>) => String(thing["id"]);
  return { termId: id(term), docId: id(made), boardId: id(board), queryId: id(query), userId: id(user), lakeId, file };
}

const dialogsOf = ({ termId, docId, boardId, queryId, userId, lakeId, file }: Things): Record<string, Opened> => ({
  column: { press: [button(/^status/)], role: "dialog" },
  phases: { press: [(page) => page.getByTitle("Where the time went")], role: "dialog" },
  export: { press: [button("Export")], role: "menu" },
  palette: { path: "/", press: [button(/^Go to/)], role: "dialog" },
  account: { path: "/", press: [button(/^Menu of/)], role: "menu" },
  history: { path: "/query", press: [button("History")], role: "dialog" },
  save: { path: "/query", press: [button("Save …")], role: "dialog" },
  more: { path: "/query", press: [button("More")], role: "menu" },
  file: { path: `/drive?file=${file}`, press: [], role: "dialog" },
  "delete-file": { path: `/drive?file=${file}`, press: [button("Delete")], role: "dialog" },
  run: { path: `/docs/${docId}`, press: [button("Run …")], role: "dialog" },
  archive: { path: `/docs/${docId}`, press: [button("Archive")], role: "dialog" },
  job: { path: "/automations", press: [button("New job …")], role: "dialog" },
  resource: { path: "/automations", press: [button("New job …"), list("What it runs")], role: "listbox" },
  delivery: { path: "/deliveries", press: [button("New delivery …")], role: "dialog" },
  publish: { path: `/dashboards/${boardId}`, press: [button("Publish")], role: "dialog" },
  deliver: { path: `/queries/${queryId}`, press: [button(/^Deliver/)], role: "dialog" },
  questions: { path: `/queries/${queryId}`, press: [button(/^Change the questions/)], role: "dialog" },
  "new-term": { path: "/knowledge", press: [button("New term …")], role: "dialog" },
  term: { path: `/knowledge/${termId}`, press: [button("Change …")], role: "dialog" },
  endpoint: { path: "/endpoints", press: [button("Publish a saved query")], role: "dialog" },
  member: { path: "/people", press: [button("Add a member")], role: "dialog" },
  key: { path: `/people/${userId}`, press: [button("Make a key")], role: "dialog" },
  role: { path: "/roles", press: [button("Make a role")], role: "dialog" },
  team: { path: "/teams", press: [button("Make a team")], role: "dialog" },
  link: { path: "/teams", press: [button("Link for its admin")], role: "dialog" },
  provider: { path: "/settings", press: [button("Set it up")], role: "dialog" },
  event: { path: "/audit", press: [button(/^[a-z_]+\.[a-z]+$/)], role: "dialog" },
  integration: { path: `/integrations/${lakeId}`, press: [button(/^Change/)], role: "dialog" },
});
