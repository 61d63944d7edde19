// The semantic model of a new team: drafted from the sample's tables, saved, and explored.

import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { openChromium } from "../../support/node/console/chromium.ts";
import { seriousFlaws } from "../../support/node/console/flaws.ts";
import { Keyboard } from "../../support/node/console/keyboard.ts";
import { visitConsole, type Visit } from "../../support/node/console/visit.ts";

const { baseUrl, key } = inject("platform");
let browser: Browser;
let visit: Visit;
let page: Page;
beforeAll(async () => {
  browser = await openChromium();
  visit = await visitConsole(browser, baseUrl, { key });
  page = visit.page;
});
afterAll(() => browser?.close());

const modelPath = () => new URL(page.url()).pathname.replace("/app/models/", "/v1/api/integrations/");
const tag = (version: number) => ({ authorization: `Bearer ${key}`, "if-match": `"${version}"` });
const find = async (text: string) => {
  await page.getByRole("combobox", { name: "Find a member" }).fill(text);
  await page.keyboard.press("Enter");
};
const show = (title: string) =>
  page.getByRole("radiogroup", { name: "How the answer is shown" }).getByText(title).click();
const range = () => page.getByRole("combobox", { name: "Range of Orders Ordered at" });
const errorMarks = () => page.locator(".cm-lint-marker-error").count();

it("is drafted by keyboard from chosen tables where there is none, shows a broken line, and is saved", async () => {
  // A model that is not there yet is looked for.
  visit.expectStatus(404);
  const keys = new Keyboard(page);
  const dialog = page.getByRole("dialog");
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  await keys.goTo("Explore");
  await keys.use(button("Draft one from the lake's tables"));
  await keys.use(dialog.getByRole("button", { name: "None of these" }));
  await keys.tabTo(dialog.getByRole("textbox", { name: "Find a table" }), "Shift+Tab");
  await keys.type("sample.");
  for (const table of ["sample.customers", "sample.orders"])
    await keys.use(dialog.getByRole("checkbox", { name: table, exact: true }), "Space");
  expect(await seriousFlaws(page)).toEqual([]);
  await keys.use(dialog.getByRole("button", { name: "Draft", exact: true }));
  const files = page.getByRole("navigation", { name: "Files of the model" });
  await files.getByText("cubes/customers.yml").waitFor();
  expect(await files.getByText(/^cubes/).allInnerTexts()).toEqual(["cubes/customers.yml", "cubes/orders.yml"]);
  await page.getByText("valid", { exact: true }).waitFor();

  const editor = page.getByRole("textbox", { name: "The text of cubes/customers.yml" });
  await keys.tabTo(editor);
  await keys.press("Control+End");
  await keys.type("    nonsense: 1");
  const flaws = page.getByRole("list", { name: "Flaws of the model" });
  await flaws.getByText("nonsense").waitFor();
  await files.getByText("1 flaw").waitFor();
  await expect.poll(errorMarks).toBe(1);
  const line = (await editor.innerText()).split("\n").findIndex((text) => text.includes("nonsense")) + 1;
  await keys.press("Control+Home");
  await keys.leaveEditor();
  await keys.use(flaws.getByRole("button", { name: `cubes/customers.yml:${line}` }));
  await keys.press("End", "Shift+Home", "Delete");
  await page.getByText("valid", { exact: true }).waitFor();
  await expect.poll(errorMarks).toBe(0);

  await keys.leaveEditor("Shift+Tab");
  await keys.tabTo(button("Save …"), "Shift+Tab");
  await keys.press("Enter");
  await dialog.getByText("cubes/orders.yml").waitFor();
  expect(await seriousFlaws(page)).toEqual([]);
  await keys.fill(dialog.getByRole("textbox", { name: "Why, for the list of versions" }), "Drafted from two tables");
  await keys.press("Enter");
  await page.getByText("Saved as version 1.").waitFor();
});

it("is explored by typing and clicking: rows, chart, pivot and SQL, all of it in the address", async () => {
  await page.getByRole("link", { name: "Explore it" }).click();
  await find("orders count");
  await find("customers country");
  const rows = page.getByRole("grid", { name: "Rows of the answer" });
  await rows.getByText("Norway").waitFor();
  await rows.getByRole("rowheader", { name: "1", exact: true }).click({ trial: true });
  const asked = JSON.parse(new URL(page.url()).searchParams.get("query")!) as object;
  expect(asked).toEqual({ measures: ["orders.count"], dimensions: ["customers.country"] });
  await find("ordered at");
  await range().fill("from 2024-01-01 to 2024-03-31");
  await page.keyboard.press("Enter");
  await rows.getByText("2024-03-01").first().waitFor();
  expect(await seriousFlaws(page)).toEqual([]);
  await show("Chart");
  await page.locator("canvas").waitFor();
  await show("Pivot");
  await page.getByRole("grid", { name: "Pivot of the answer" }).getByText("2024-02-01").waitFor();
  await show("SQL");
  await page.getByRole("region", { name: "SQL of the question" }).getByText("date_trunc").waitFor();
  await page.reload();
  await page.getByRole("region", { name: "SQL of the question" }).getByText("date_trunc").waitFor();
  await page.getByRole("link", { name: "Open the SQL in the workspace" }).click();
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.getByRole("grid", { name: "Rows of the result" }).getByText("Norway").first().waitFor();
});

it("says what the planner refuses, and ends by Escape what runs", async () => {
  await page.goBack();
  await show("Rows");
  visit.expectStatus(422);
  await range().fill("some day");
  await page.keyboard.press("Enter");
  await page.getByRole("alert").getByText("some day").waitFor();
  // An answer that never comes.
  await page.route("**/v1/query", () => undefined);
  await range().fill("this year");
  await page.keyboard.press("Enter");
  await page.getByText(/^Running/).waitFor();
  await page.keyboard.press("Escape");
  await page.getByText("Cancelled").waitFor();
  await page.unroute("**/v1/query");
  await page.getByRole("button", { name: "Ask again" }).click();
  await page.getByText(/^\d+ rows$/).waitFor();
});

it("is not saved over what somebody else has saved meanwhile, and loses neither", async () => {
  visit.expectStatus(412);
  await visit.open("/models");
  await page.getByRole("table").getByRole("link").first().click();
  await page.getByRole("button", { name: "New file" }).click();
  await page.getByLabel("Path of the new file").fill("cubes/mine.yml");
  await page.keyboard.press("Enter");
  const editor = page.getByRole("textbox", { name: "The text of cubes/mine.yml" });
  await editor.click();
  await page.keyboard.press("Control+A");
  await page.keyboard.press("Delete");
  await page.keyboard.type("cubes: [{name: mine, sql_table: sample.orders, measures: [{name: n, type: count}]}]");
  await page.getByText("valid", { exact: true }).waitFor();
  const theirs = { path: "cubes/theirs.yml", content: "cubes:\n  - {name: theirs, sql_table: sample.orders}\n" };
  const put = await page.request.put(`${modelPath()}/model?path=${theirs.path}`, {
    headers: tag(1),
    data: { files: [theirs] },
  });
  expect(put.status()).toBe(200);
  const dialog = page.getByRole("dialog");
  await page.getByRole("button", { name: "Save …" }).click();
  await dialog.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("Version 2 was saved meanwhile").waitFor();
  await page.getByRole("button", { name: "Go on with mine over it" }).click();
  await page.getByRole("button", { name: "Save …" }).click();
  await dialog.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("Saved as version 3.").waitFor();
  const { model } = await (await page.request.get(`${modelPath()}/model`, { headers: tag(3) })).json();
  expect(model.files.map(({ path }: { path: string }) => path)).toEqual(
    expect.arrayContaining(["cubes/mine.yml", "cubes/orders.yml", "cubes/theirs.yml"]),
  );
});

it("has versions: who saved each, what it changed, and one comes back unless another came in between", async () => {
  await page.getByRole("link", { name: "Versions" }).click();
  const versions = page.getByRole("region", { name: "Versions" });
  const second = versions.getByRole("row").filter({ has: page.getByRole("cell", { name: "2", exact: true }) });
  await second.getByText("Demo Admin").waitFor();
  await second.getByRole("button", { name: "Look at it" }).click();
  // The second version brought one file, and the third another.
  const theirs = page.getByRole("textbox", { name: "Changes of cubes/theirs.yml" });
  await theirs.getByText("theirs").first().waitFor();
  expect(await page.getByText(/^cubes\/\w+\.yml, /).allInnerTexts()).toEqual(["cubes/theirs.yml, new"]);
  await page.getByText("What restoring it changes").click();
  await page.getByText("cubes/mine.yml, deleted").waitFor();
  expect(await seriousFlaws(page)).toEqual([]);

  const others = await page.request.put(`${modelPath().replace("/versions", "")}/model?path=cubes/theirs.yml`, {
    headers: tag(3),
    data: { files: [{ path: "cubes/theirs.yml", content: "cubes:\n  - {name: again, sql_table: sample.orders}\n" }] },
  });
  expect(others.status()).toBe(200);
  const restore = async () => {
    await page.getByRole("button", { name: "Restore this version" }).click();
    await page.getByRole("button", { name: "Restore it" }).click();
  };
  await restore();
  await page.getByText("The model is at version 4 now, not at 3").waitFor();
  await versions.getByRole("cell", { name: "4 newest" }).waitFor();
  await restore();
  await page.getByText("Version 2 is the newest again.").waitFor();
  await versions.getByText("Version 2, restored").waitFor();
  await page.locator("main nav").getByRole("link").click();
  await page.getByText("Version 5.").waitFor();
  expect(await page.getByRole("navigation", { name: "Files of the model" }).getByText("mine.yml").count()).toBe(0);
  expect(visit.offences()).toEqual([]);
});

it("is explored without a mouse: members are found and taken away again, and the answer is turned round", async () => {
  const keys = new Keyboard(page);
  await keys.goTo("Explore");
  for (const member of ["orders count", "orders status", "orders channel"]) {
    await keys.fill(page.getByRole("combobox", { name: "Find a member" }), member);
    await keys.press("Enter");
  }
  await page.getByRole("grid", { name: "Rows of the answer" }).getByText("delivered").first().waitFor();
  await keys.tabTo(page.getByRole("radio", { name: "Rows" }));
  await keys.press("ArrowRight", "ArrowRight");
  const pivot = page.getByRole("grid", { name: "Pivot of the answer" });
  await pivot.getByRole("columnheader", { name: "marketplace" }).waitFor();
  await keys.tabTo(page.getByRole("button", { name: "Remove Orders Channel" }), "Shift+Tab");
  await keys.press("Enter");
  await pivot.getByRole("columnheader", { name: "marketplace" }).waitFor({ state: "detached" });
  expect(visit.offences()).toEqual([]);
});
