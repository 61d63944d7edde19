// A team's own Trino is connected in the console: kept without a connection, given a key, tested, and deleted.

import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { ask } from "../../support/node/console/api.ts";
import { openChromium } from "../../support/node/console/chromium.ts";
import { seriousFlaws } from "../../support/node/console/flaws.ts";
import { visitConsole, type Visit } from "../../support/node/console/visit.ts";
import { column, signature, startFakeCluster, type FakeCluster } from "../../support/node/cluster/fake-cluster.ts";

const admin = inject("platform");
const NAME = `Cluster ${crypto.randomUUID().slice(0, 8)}`;

let browser: Browser;
let visit: Visit;
let page: Page;
let cluster: FakeCluster;
beforeAll(async () => {
  cluster = await startFakeCluster();
  browser = await openChromium();
  visit = await visitConsole(browser, admin.baseUrl, admin);
  page = visit.page;
});
afterAll(async () => {
  await browser?.close();
  await cluster?.close();
});

const button = (name: string) => page.getByRole("button", { name, exact: true });
const field = (name: string) => page.getByRole("textbox", { name, exact: true });
const iceberg = (key: string) =>
  fetch(`${admin.baseUrl}/iceberg/v1/config`, { headers: { authorization: `Bearer ${key}` } });
const keyIn = (properties: string): string => /oauth2\.token=(.+)/.exec(properties)![1]!;

it("is kept by the form, which refuses a number that is none", async () => {
  await visit.open("/integrations/new/trino");
  await field("Name").fill(NAME);
  await field("URL").fill(cluster.url);
  await field("User").fill("fjord");
  await page.getByRole("combobox", { name: "Reads the lake" }).click();
  await page.getByRole("option").first().click();
  await field("Takes statements above so many bytes").fill("many");
  expect(await seriousFlaws(page)).toEqual([]);
  visit.expectStatus(422);
  await button("Save").click();
  await page
    .getByText(/number/i)
    .first()
    .waitFor();
  await field("Takes statements above so many bytes").fill("1e9");
  await button("Save").click();
  await page.getByRole("heading", { name: NAME, exact: true }).waitFor();
  expect(cluster.requests).toEqual([]);
});

it("has a key that is shown once with its file, replaced by the next, and revoked", async () => {
  const made = async (): Promise<string> => {
    await button("Make a new key").click();
    return keyIn((await page.getByText("connector.name=iceberg").innerText()).trim());
  };
  const first = await made();
  expect((await iceberg(first)).status).toBe(200);
  expect(await seriousFlaws(page)).toEqual([]);
  await page.reload();
  await page.getByRole("heading", { name: NAME, exact: true }).waitFor();
  expect(await page.getByText("connector.name=iceberg").count()).toBe(0);
  const second = await made();
  expect([(await iceberg(first)).status, (await iceberg(second)).status]).toEqual([401, 200]);
  await button("Revoke the key").click();
  await button("Revoke it").click();
  await expect.poll(async () => (await iceberg(second)).status).toBe(401);
  await page.getByText("connector.name=iceberg").waitFor({ state: "detached" });
});

it("says what its test found, and is deleted", async () => {
  const version = [column("v", signature("varchar")), column("n", signature("bigint"))];
  cluster.pages = [{ columns: version, data: [["475", 2]] }];
  visit.expectStatus(400);
  await button("Test").click();
  await page.getByText("476 is the oldest that can be used").first().waitFor();
  await button("Delete").click();
  await button("Delete it").click();
  await page.waitForURL(/\/integrations$/);
  expect(JSON.stringify(await ask(admin, "GET", "/v1/api/integrations?limit=100"))).not.toContain(NAME);
});
