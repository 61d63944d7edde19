// What a statement will read stands in the workspace before it runs: by files and bytes, table by table, or why the
// statement would fail.

import { join } from "node:path";
import type { Page } from "playwright-core";
import { beforeAll, expect, inject, it } from "vitest";
import { ask } from "../../../support/node/console/api.ts";
import { seriousFlaws } from "../../../support/node/console/flaws.ts";
import { delayTimers, Keyboard } from "../../../support/node/console/keyboard.ts";
import { suiteVisits } from "../../../support/node/console/suite-visits.ts";
import { Workspace } from "../../../support/node/console/workspace.ts";
import { root } from "../../../support/node/platform/platform.ts";

const admin = inject("platform");
const PICTURES = join(root, "node_modules/.cache/console-pictures");
const SCHEMA = `estimated_${crypto.randomUUID().slice(0, 8)}`;
const TABLE = `LAKE.${SCHEMA}.events`;
const FILES = 4;
const FILE_ROWS = 50_000;
const NARROW = `SELECT max(kind) FROM ${TABLE} WHERE id BETWEEN 60000 AND 90000`;
const ONE_FILE = /^reads 1 of 4 files, at most [\d.]+ [KM]B$/;

const visit = suiteVisits(admin.baseUrl);
const line = (page: Page, name: RegExp | string) => page.getByRole("button", { name });

beforeAll(async () => {
  const run = (sql: string) => ask(admin, "POST", "/v1/query", { sql });
  await run(`CREATE SCHEMA LAKE.${SCHEMA}`);
  await run(`CREATE TABLE ${TABLE} (id BIGINT, kind VARCHAR)`);
  for (let i = 0; i < FILES; i++)
    await run(
      `INSERT INTO ${TABLE} SELECT range, md5(range::VARCHAR) FROM range(${i * FILE_ROWS}, ${(i + 1) * FILE_ROWS})`,
    );
});

it.each(["light", "dark"] as const)("says files and bytes before anything runs, by table: %s", async (scheme) => {
  const { page, open } = await visit({ key: admin.key, scheme });
  await open("/query");
  const workspace = new Workspace(page);
  await workspace.write(`${NARROW};\nSELECT count(*) FROM ${TABLE};\nSELECT * FROM ${TABLE}`);
  await line(page, /^reads 4 of 4 files/).waitFor();
  // It is of the statement at the cursor.
  await page.keyboard.press("Control+Home");
  await line(page, ONE_FILE).click();
  const tables = page.getByRole("dialog", { name: ONE_FILE });
  await tables.getByText(`${SCHEMA}.events`).waitFor();
  await tables.getByText(/^1 of 4 files, at most/).waitFor();
  await page.screenshot({ path: join(PICTURES, `estimate-${scheme}.png`) });
  expect(await seriousFlaws(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await tables.waitFor({ state: "detached" });
  await page.locator(".cm-content").press("ArrowDown");
  await line(page, /^reads none of 4 files$/).waitFor();
  expect(await page.getByRole("region", { name: "Result" }).count()).toBe(0);
});

it("is of the values of its parameters, and gone while they or the text change", async () => {
  const { page, open } = await visit(admin);
  await open("/query");
  const workspace = new Workspace(page);
  await workspace.write(`SELECT max(kind) FROM ${TABLE} WHERE id >= $least`);
  await line(page, /^reads 4 of 4 files/).waitFor();
  await page.getByLabel("Value of least").fill("150000");
  await line(page, ONE_FILE).waitFor();
  await workspace.write("SELECT 1");
  await line(page, ONE_FILE).waitFor({ state: "detached" });
});

it("says why the statement would fail", async () => {
  const { page, open } = await visit(admin);
  await open("/query");
  const workspace = new Workspace(page);
  await workspace.write(`SELECT * FROM LAKE.${SCHEMA}.nothing`);
  await line(page, "would fail").click();
  await page.getByRole("dialog").getByText(`The table LAKE.${SCHEMA}.nothing does not exist`).waitFor();
  await page.screenshot({ path: join(PICTURES, "estimate-refused.png") });
  expect(await seriousFlaws(page)).toEqual([]);
});

it("says that it is not known where the engine can't be asked, and asks again", async () => {
  const { page, open, expectStatus } = await visit(admin);
  expectStatus(503);
  await open("/query");
  await page.route("**/v1/query/estimate", (route) => route.fulfill({ status: 503, json: UNAVAILABLE }), { times: 1 });
  await new Workspace(page).write(NARROW);
  await line(page, "not estimated").click();
  await page.getByRole("dialog").getByText("The engine is away.").waitFor();
  await page.getByRole("button", { name: "Try again" }).click();
  await line(page, ONE_FILE).waitFor();
});

const UNAVAILABLE = {
  success: false,
  message: "The engine is away.",
  error: { code: "engine_unavailable", title: "Engine Unavailable", status: 503, retryable: true },
};

it("is opened and closed by keys", async () => {
  const { page, open } = await visit(admin);
  await delayTimers(page);
  await open("/query");
  const keys = new Keyboard(page);
  await keys.tabTo(page.getByRole("textbox", { name: "SQL" }));
  await keys.type(NARROW);
  await line(page, ONE_FILE).waitFor();
  await keys.leaveEditor("Shift+Tab");
  await keys.tabTo(line(page, ONE_FILE), "Shift+Tab");
  await keys.press("Enter");
  const tables = page.getByRole("dialog", { name: ONE_FILE });
  await tables.waitFor();
  await keys.press("Escape");
  await tables.waitFor({ state: "detached" });
  await line(page, ONE_FILE).and(page.locator(":focus")).waitFor();
});

it("says nothing of the files of a table of which the reader sees some rows", async () => {
  const lake = (await ask(admin, "GET", "/v1/api/integrations?type=lake")).data[0].id as string;
  const mark = crypto.randomUUID();
  const person = { name: "Ada", email: `ada-${mark}@example.com`, role: "member" };
  const { data: user } = await ask(admin, "POST", "/v4/users", person);
  const filters = [{ member: "id", operator: "lt", values: ["100"] }];
  const grants = [{ integration_id: lake, schema: SCHEMA, table: "events", filters }];
  const { data: role } = await ask(admin, "POST", "/v4/data-access/roles", { name: `Some rows ${mark}`, grants });
  await ask(admin, "PUT", `/v4/data-access/roles/${role.id}/members/${user.id}`);
  const { key } = (await ask(admin, "POST", `/v4/users/${user.id}/keys`, { name: "console" })).data;
  const { page, open } = await visit({ key });
  await open("/query");
  const answer = page.waitForResponse("**/v1/query/estimate");
  await new Workspace(page).write(`SELECT * FROM ${TABLE}`);
  expect(await (await answer).json()).toMatchObject({
    tables: [{ schema: SCHEMA, name: "events", figures: null }],
    total: { files: 0, filesTotal: 0, bytes: 0, bytesTotal: 0 },
  });
  expect(await line(page, /^reads|would fail|not estimated/).count()).toBe(0);
});
