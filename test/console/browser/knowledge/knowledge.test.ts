// The glossary and verified pairs are written in the console by keyboard, found again, and given to agents.

import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { ask } from "../../../support/node/console/api.ts";
import { openChromium } from "../../../support/node/console/chromium.ts";
import { seriousFlaws } from "../../../support/node/console/flaws.ts";
import { Keyboard } from "../../../support/node/console/keyboard.ts";
import { newMember } from "../../../support/node/console/people.ts";
import { visitConsole, type Visit } from "../../../support/node/console/visit.ts";

const admin = inject("platform");
const MARK = crypto.randomUUID().slice(0, 8);
const [TERM, QUERY, QUESTION] = [`Revenue ${MARK}`, `Sales ${MARK}`, `What did we earn in ${MARK}?`];

let browser: Browser;
let visit: Visit;
let page: Page;
let keys: Keyboard;
let queryId: string;
beforeAll(async () => {
  browser = await openChromium();
  queryId = (await ask(admin, "POST", "/v4/queries", { name: QUERY, sql: "SELECT count(*) FROM LAKE.sample.orders" }))
    .data.id as string;
  visit = await visitConsole(browser, admin.baseUrl, admin);
  page = visit.page;
  keys = new Keyboard(page);
});
afterAll(() => browser?.close());

const button = (name: string) => page.getByRole("button", { name, exact: true });
const field = (name: string) => page.getByRole("textbox", { name, exact: true });
const heading = (name: string) => page.getByRole("heading", { name, exact: true });
const know = async () =>
  (await ask(admin, "GET", `/v4/knowledge?question=${MARK}`)).data as {
    terms: { term: string; definition: string; links: object[] }[];
    verified_queries: { name: string; questions: string[] }[];
  };

it("makes a term with a link, by keyboard alone", async () => {
  await visit.open("/knowledge");
  await keys.use(button("New term …"));
  await keys.fill(field("Term"), TERM);
  await keys.fill(field("Definition"), "What was paid, less refunds.");
  await keys.tabTo(page.getByRole("combobox", { name: "Tables and members" }));
  await keys.type("orders");
  await page.getByRole("option", { name: "sample.orders", exact: true }).waitFor();
  expect(await seriousFlaws(page)).toEqual([]);
  await keys.press("ArrowDown", "Enter", "Escape");
  await keys.use(button("Save"));
  await heading(TERM).waitFor();
  const { terms } = await know();
  expect(terms).toMatchObject([{ term: TERM, links: [{ name: expect.stringContaining("order"), missing: false }] }]);
});

it("changes it, shows its versions, and brings the first one back", async () => {
  await keys.use(button("Change …"));
  await keys.tabTo(field("Definition"));
  await keys.press("Control+A");
  await keys.type("What was invoiced.");
  await keys.use(button("Save"));
  await page.getByText("What was invoiced.").first().waitFor();
  await heading("Version 2").waitFor();
  await keys.use(page.getByRole("row", { name: /^1 / }).getByRole("button", { name: "Look at it" }));
  await keys.use(button("Restore this version"));
  await keys.use(button("Restore it"));
  await heading("Version 3").waitFor();
  expect((await know()).terms[0]!.definition).toBe("What was paid, less refunds.");
  expect(visit.offences()).toEqual([]);
});

it("says at the form that a term is there already, and keeps what was typed", async () => {
  visit.expectStatus(409);
  await visit.open("/knowledge");
  await button("New term …").click();
  await field("Term").fill(TERM.toUpperCase());
  await field("Definition").fill("Another.");
  await button("Save").click();
  await page.getByRole("dialog").getByRole("alert").waitFor();
  expect(await field("Definition").inputValue()).toBe("Another.");
  await page.keyboard.press("Escape");
});

it("gives a saved query its questions and the mark, and agents the pair; other questions take the mark away", async () => {
  await visit.open(`/queries/${queryId}`);
  await keys.use(button("Change the questions …"));
  await keys.tabTo(field("Questions"));
  await keys.type(QUESTION);
  await keys.use(button("Save"));
  await page.getByRole("list", { name: "Questions" }).getByText(QUESTION).waitFor();
  expect((await know()).verified_queries).toEqual([]);
  await keys.use(button("Certify"));
  await page.getByText("agents are given it with its questions").waitFor();
  expect((await know()).verified_queries).toMatchObject([{ name: QUERY, questions: [QUESTION] }]);
  expect(await seriousFlaws(page)).toEqual([]);
  await visit.open("/knowledge");
  await page.getByRole("row").filter({ hasText: QUERY }).getByText(QUESTION).waitFor();
  await visit.open(`/queries/${queryId}`);
  await button("Change the questions …").click();
  await field("Questions").fill("Another?");
  await button("Save").click();
  await page.getByText("Nobody vouches for it").waitFor();
});

it("is read by a member, on a phone, who is offered no change", async () => {
  const { key } = await newMember(admin);
  const member = await visitConsole(browser, admin.baseUrl, { key, scheme: "light", isPhone: true });
  await member.open("/knowledge");
  await member.page.getByRole("link", { name: TERM }).click();
  await member.page.getByText("What was paid, less refunds.").first().waitFor();
  expect(await member.page.getByRole("button", { name: /Change|Delete|Restore/ }).count()).toBe(0);
  expect([await seriousFlaws(member.page), member.offences()]).toEqual([[], []]);
  await member.end();
});
