// A delivery is made by the form, changed by it, and goes out as it was changed.

import type { Browser, Page } from "playwright-core";
import PostalMime from "postal-mime";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { openChromium } from "../../../support/node/console/chromium.ts";
import { seriousFlaws } from "../../../support/node/console/flaws.ts";
import { ask } from "../../../support/node/console/api.ts";
import { visitConsole, type Visit } from "../../../support/node/console/visit.ts";

const admin = inject("platform");
const MARK = crypto.randomUUID().slice(0, 8);
const [MADE, CHANGED] = [`Stock ${MARK}`, `Stock of the day ${MARK}`];
let browser: Browser;
let visit: Visit;
let page: Page;
let address: string;
beforeAll(async () => {
  browser = await openChromium();
  address = (await ask(admin, "GET", "/v4/me")).data.user.email as string;
  await ask(admin, "POST", "/v4/queries", { name: `Items ${MARK}`, sql: "SELECT 3 AS items, 'low' AS level" });
  visit = await visitConsole(browser, admin.baseUrl, admin);
  page = visit.page;
});
afterAll(() => browser?.close());

const dialog = () => page.getByRole("dialog");
const row = (name: string) => page.getByRole("row").filter({ has: page.getByText(name, { exact: true }) });
const choose = async (label: string, option: string) => {
  await field(label).click();
  await page.getByRole("option", { name: option, exact: true }).click();
};
const field = (name: string) =>
  dialog()
    .getByRole("textbox", { name, exact: true })
    .or(dialog().getByRole("combobox", { name, exact: true }));
const change = (name: string) => row(name).getByRole("button", { name: "Change …" }).click();
const save = async () => {
  await dialog().getByRole("button", { name: "Save" }).click();
  await dialog().waitFor({ state: "detached" });
};

let jobId: string | undefined;
/** Runs the delivery to its end, as the schedule of a job would. */
async function run(): Promise<void> {
  const { items } = (await ask(admin, "GET", "/v4/deliveries?limit=250")).data;
  const { id } = (items as { id: string; name: string }[]).find(({ name }) => name.includes(MARK))!;
  jobId ??= (await ask(admin, "POST", "/v4/automations/jobs", { resourceType: "delivery", resourceId: id })).data
    .id as string;
  const { id: runId } = (await ask(admin, "POST", `/v4/automations/jobs/${jobId}/process`, {})).data;
  const state = async () =>
    (await ask(admin, "GET", `/v4/automations/jobs/${jobId}/runs/${runId}`)).data.state as string;
  await expect.poll(state).toBe("succeeded");
}
const mailsOf = async (subject: string) =>
  ((await ask(admin, "GET", "/v4/admin/outbox")).data.items as { id: string; to: string; subject: string }[]).filter(
    (mail) => mail.subject === subject,
  );

it("is made by the form, and mailed by its name", async () => {
  await visit.open("/deliveries");
  await page.getByRole("button", { name: "New delivery …" }).click();
  await dialog().getByLabel("Name").fill(MADE);
  await choose("What is sent", `Items ${MARK}`);
  await dialog().getByLabel("By mail to").fill(address);
  await page.keyboard.press("Enter");
  expect(await seriousFlaws(page)).toEqual([]);
  await dialog().getByRole("button", { name: "Make the delivery" }).click();
  await row(MADE).getByText("with every run").waitFor();
  await row(MADE).getByText(address).waitFor();
  await run();
  expect(await mailsOf(MADE)).toMatchObject([{ to: address }]);
});

it("is changed by the form, which shows what was saved, and sends nothing under a condition that does not hold", async () => {
  await change(MADE);
  await dialog().getByLabel("Name").fill(CHANGED);
  await dialog().getByLabel("Subject").fill(`Too few ${MARK}`);
  await dialog().getByLabel("Text before the results").fill("Order some more.");
  await choose("When", "when a value is");
  await dialog().getByLabel("Column").fill("items");
  await choose("Is", ">=");
  await dialog().getByLabel("Bound").fill("5");
  await choose("Whole results as files", "CSV");
  expect(await seriousFlaws(page)).toEqual([]);
  await save();
  await row(CHANGED).getByText("when items >= 5").waitFor();

  await page.reload();
  await change(CHANGED);
  for (const [label, value] of [
    ["Name", CHANGED],
    ["Subject", `Too few ${MARK}`],
    ["Text before the results", "Order some more."],
    ["What is sent", `Items ${MARK}`],
    ["When", "when a value is"],
    ["Column", "items"],
    ["Is", ">="],
    ["Bound", "5"],
    ["Whole results as files", "CSV"],
    ["Sent", "attached"],
  ] as const)
    await expect.poll(async () => [label, await field(label).inputValue()]).toEqual([label, value]);
  await page.keyboard.press("Escape");
  await run();
  await page.reload();
  await row(CHANGED).getByText("nothing to send").waitFor();
  expect(await mailsOf(`Too few ${MARK}`)).toEqual([]);
});

it("goes out as it was changed once the condition holds", async () => {
  await change(CHANGED);
  await dialog().getByLabel("Bound").fill("2");
  await save();
  await row(CHANGED).getByText("when items >= 2").waitFor();
  await run();
  await page.reload();
  await row(CHANGED).getByText("sent", { exact: true }).waitFor();
  const [mail, ...others] = await mailsOf(`Too few ${MARK}`);
  expect(others).toEqual([]);
  const raw = await page.request.get(`/v4/admin/outbox/${mail!.id}`, {
    headers: { authorization: `Bearer ${admin.key}` },
  });
  const { text, attachments } = await PostalMime.parse(await raw.body());
  expect(text).toContain("Order some more.");
  expect(attachments.map(({ filename }) => filename)).toEqual([`${CHANGED}.csv`]);
  expect(await mailsOf(MADE)).toHaveLength(1);
});

it("is saved before the choices of its source have come", async () => {
  const held = Promise.withResolvers<void>();
  await page.route("**/v4/queries?*", async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.reload();
  await change(CHANGED);
  await dialog().getByLabel("Text before the results").fill("Order some more, soon.");
  const saved = page.waitForResponse((response) => response.request().method() === "PATCH");
  await dialog().getByRole("button", { name: "Save" }).click();
  expect((await saved).status()).toBe(200);
  held.resolve();
  await dialog().waitFor({ state: "detached" });
  await page.unrouteAll({ behavior: "wait" });
});

it("says at the form what the platform refuses, and keeps what was typed", async () => {
  visit.expectStatus(422);
  await change(CHANGED);
  await dialog().getByLabel("By mail to").fill("nobody@elsewhere.example");
  await page.keyboard.press("Enter");
  await dialog().getByRole("button", { name: "Save" }).click();
  await dialog().getByRole("alert").waitFor();
  await dialog().getByText("nobody@elsewhere.example").first().waitFor();
  await page.keyboard.press("Escape");
  await dialog().waitFor({ state: "detached" });
  expect(visit.offences()).toEqual([]);
});
