// The options of an open list stay in their places, whatever the platform answers meanwhile; new ones come behind them.

import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { ask } from "../../../support/node/console/api.ts";
import { openChromium } from "../../../support/node/console/chromium.ts";
import { delayTimers, Keyboard } from "../../../support/node/console/keyboard.ts";
import { newTeam } from "../../../support/node/console/people.ts";
import { visitConsole, type Visit } from "../../../support/node/console/visit.ts";

let browser: Browser;
let visit: Visit;
let page: Page;
let roleId: string;
let listed: { data: object[] };
beforeAll(async () => {
  const admin = await newTeam(inject("platform"));
  roleId = (await ask(admin, "POST", "/v4/data-access/roles", { name: "Readers", grants: [] })).data.id;
  listed = await ask(admin, "GET", "/v1/api/integrations");
  browser = await openChromium();
  visit = await visitConsole(browser, admin.baseUrl, admin);
  page = visit.page;
});
afterAll(() => browser?.close());

it("chooses the option that the arrow is on, though another one has gone from the platform", async () => {
  let names = ["Gone", "Kept", "Last"];
  let answers = 0;
  const [lake] = listed.data;
  await page.route(/\/v1\/api\/integrations\?/, async (route) => {
    answers++;
    const data = names.map((name) => ({ ...lake, id: `id of ${name}`, name }));
    await route.fulfill({ json: { ...listed, data } });
  });
  await visit.open(`/roles/${roleId}`);
  await page.getByRole("button", { name: "Grant something" }).click();
  const list = page.getByRole("combobox", { name: "Integration", exact: true });
  await list.click();
  const keys = new Keyboard(page);
  await page.getByRole("option", { name: "Last" }).waitFor();
  await keys.press("ArrowDown", "ArrowDown", "ArrowDown");
  const before = answers;
  names = ["Kept", "Last"];
  // A person who comes back to the page has its lists loaded anew once they are some seconds old.
  await expect
    .poll(async () => {
      await page.evaluate("dispatchEvent(new Event('visibilitychange'))");
      return answers;
    })
    .toBeGreaterThan(before);
  await page.waitForLoadState("networkidle");
  await keys.press("Enter");
  expect(await list.inputValue()).toBe("Last");
  await keys.press("ArrowDown");
  await page.getByRole("option", { name: "Kept" }).waitFor();
  expect(await page.getByRole("option").allInnerTexts()).toEqual(["Kept", "Last"]);
  expect(visit.offences()).toEqual([]);
});

it("chooses the option that the arrow is on, though it was pressed as the list opened", async () => {
  await delayTimers(page);
  await visit.open(`/roles/${roleId}`);
  await page.getByRole("button", { name: "Grant something" }).click();
  const list = page.getByRole("combobox", { name: "Integration", exact: true });
  await list.focus();
  const keys = new Keyboard(page);
  await keys.press("ArrowDown", "ArrowDown");
  await expect.poll(() => page.evaluate("window.lateTimers")).toBe(0);
  const marked = await page.locator("[data-combobox-selected]").innerText();
  await keys.press("Enter");
  await page.getByRole("option").first().waitFor({ state: "detached" });
  expect([marked, await list.inputValue()]).toEqual([expect.stringMatching(/./), marked]);
});

it("shows options that come while the list is open, behind those that it had", async () => {
  const [lake] = listed.data;
  const released = Promise.withResolvers<void>();
  await page.route(/\/v1\/api\/integrations\?/, async (route) => {
    await released.promise;
    await route.fulfill({ json: { ...listed, data: [{ ...lake, id: "late", type: "postgres", name: "Late" }] } });
  });
  await visit.open("/query");
  const list = page.getByRole("combobox", { name: "Run on" });
  await list.click();
  const options = page.getByRole("option");
  await options.waitFor();
  const before = await options.allInnerTexts();
  released.resolve();
  const late = page.getByRole("option", { name: "Late (postgres)" });
  await late.waitFor();
  expect(await options.allInnerTexts()).toEqual([...before, "Late (postgres)"]);
  await late.click();
  expect(await list.inputValue()).toBe("Late (postgres)");
  expect(visit.offences()).toEqual([]);
});
