// A receiver of events is added, tried, followed in the log, enabled after it wanted nothing more, and sent to again.

import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser, Page } from "playwright-core";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { ask, type Api } from "../../../support/node/console/api.ts";
import { openChromium } from "../../../support/node/console/chromium.ts";
import { seriousFlaws } from "../../../support/node/console/flaws.ts";
import { newTeam } from "../../../support/node/console/people.ts";
import { visitConsole, type Visit } from "../../../support/node/console/visit.ts";

const platform = inject("platform");
const MARK = crypto.randomUUID().slice(0, 8);
const NAME = `Pager ${MARK}`;
const ENDED = "a job's run has ended";
const DOC = {
  ...{ version: 1, schemaVersion: "2025-01", kind: "pipeline", metadata: { name: `Doc ${MARK}` } },
  datasets: { n: { engine: "sql", sql: "SELECT 42 AS n" } },
};

type Taken = { id: string; type: string; jobId: string | undefined };

/** The admin of a team of this file alone: runs of other files' jobs would be events of this destination, too. */
let admin: Api;
let browser: Browser;
let visit: Visit;
let page: Page;
let receiver: Server;
let webhook: Webhook | undefined;
let answer = { status: 204, body: "" };
const taken: Taken[] = [];
beforeAll(async () => {
  receiver = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const raw = Buffer.concat(chunks).toString();
      const event = webhook!.verify(raw, request.headers as Record<string, string>) as {
        type: string;
        data: { job_id?: string };
      };
      if (answer.status < 300)
        taken.push({ id: String(request.headers["webhook-id"]), type: event.type, jobId: event.data.job_id });
      response.writeHead(answer.status).end(answer.body || undefined);
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  admin = await newTeam(platform);
  browser = await openChromium();
  visit = await visitConsole(browser, admin.baseUrl, admin);
  page = visit.page;
});
afterAll(async () => {
  await browser?.close();
  receiver?.closeAllConnections();
  receiver?.close();
});

const dialog = () => page.getByRole("dialog");
const row = (text: string) => page.getByRole("row").filter({ has: page.getByText(text) });
const toDestinations = () => visit.open("/deliveries?tab=destinations");
const arrivals = () => taken.filter((event) => event.jobId === jobId);

let jobId: string;
const runJob = () => ask(admin, "POST", `/v4/automations/jobs/${jobId}/process`, {});

it("is added by the form, which shows its secret once, and is tried with one click", async () => {
  await toDestinations();
  await page.getByRole("combobox", { name: "Kind" }).click();
  await page.getByRole("option", { name: "events, of what happens" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill(NAME);
  await page
    .getByRole("textbox", { name: "Address" })
    .fill(`http://127.0.0.1:${(receiver.address() as AddressInfo).port}/events`);
  await page.getByRole("combobox", { name: "Sent when" }).click();
  await page.getByRole("option", { name: ENDED }).click();
  await page.keyboard.press("Escape");
  expect(await seriousFlaws(page)).toEqual([]);
  await page.getByRole("button", { name: "Add", exact: true }).click();
  const secret = await page.getByText(/^whsec_/).innerText();
  webhook = new Webhook(secret);
  await row(NAME).getByText("enabled").waitFor();
  await row(NAME).getByRole("button", { name: "Send a test" }).click();
  await page.getByText(`${NAME}: sent`).waitFor();
  expect(taken.map(({ type }) => type)).toEqual(["event.test"]);
});

it("shows in the log what the receiver answered, and at the destination that it wants nothing more", async () => {
  answer = { status: 410, body: "We have moved away." };
  const doc = (await ask(admin, "POST", "/v4/docs", DOC)).data;
  jobId = (await ask(admin, "POST", "/v4/automations/jobs", { resourceType: "doc", resourceId: doc.id })).data.id;
  await runJob();
  await toDestinations();
  await expect
    .poll(async () => {
      await page.reload();
      await row(NAME).waitFor();
      return row(NAME).getByText("its host wants nothing more").count();
    })
    .toBe(1);
  await row(NAME).getByRole("link", { name: "log" }).click();
  await row("failed").getByRole("button", { name: "Attempts …" }).click();
  await dialog().getByText(jobId).waitFor();
  await dialog().getByText("We have moved away.").waitFor();
  await dialog().getByRole("cell", { name: "410" }).waitFor();
  expect(await seriousFlaws(page)).toEqual([]);
  await page.keyboard.press("Escape");
});

it("is enabled again, and gets what it missed under the id that this had", async () => {
  answer = { status: 204, body: "" };
  await toDestinations();
  await row(NAME).getByRole("button", { name: "Change …" }).click();
  await dialog().getByRole("button", { name: "Enable", exact: true }).click();
  await dialog().getByText("enabled").waitFor();
  await dialog().getByRole("button", { name: "Send again" }).click();
  await page.getByText("1 are sent again.").waitFor();
  await expect.poll(() => arrivals().length).toBe(1);
  await page.keyboard.press("Escape");

  await row(NAME).getByRole("link", { name: "log" }).click();
  await row("sent").getByRole("button", { name: "Attempts …" }).click();
  await dialog().getByRole("button", { name: "Send again" }).click();
  await expect.poll(() => arrivals().length).toBe(2);
  const [first, again] = arrivals();
  expect(again).toEqual(first);
});

it("is changed by the form, and signs with a new secret", async () => {
  await toDestinations();
  await row(NAME).getByRole("button", { name: "Change …" }).click();
  await dialog().getByLabel("Description").fill("Wakes whoever is on duty");
  expect(await seriousFlaws(page)).toEqual([]);
  await dialog().getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved.").waitFor();
  await dialog().getByRole("button", { name: "Change the secret" }).click();
  await page.getByRole("button", { name: "Make another" }).click();
  webhook = new Webhook(
    await dialog()
      .getByText(/^whsec_/)
      .innerText(),
  );
  await runJob();
  await expect.poll(() => arrivals().length).toBe(3);
  const { items } = (await ask(admin, "GET", "/v4/destinations?limit=100")).data;
  expect(items.find(({ name }: { name: string }) => name === NAME)).toMatchObject({
    description: "Wakes whoever is on duty",
    event_types: ["job_run.ended"],
  });
  expect(visit.offences()).toEqual([]);
});
