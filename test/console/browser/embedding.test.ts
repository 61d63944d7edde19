// A published dashboard within a page of another origin: who may frame it, what it shows, and what travels.

import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Browser, BrowserContext, Frame, Page, Request } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from "vitest";
import { ask } from "../../support/node/console/api.ts";
import { openChromium } from "../../support/node/console/chromium.ts";
import { seriousFlaws } from "../../support/node/console/flaws.ts";
import { publishDashboard, signToken, startPortal, type Published } from "../../support/node/console/published.ts";
import { visitConsole } from "../../support/node/console/visit.ts";
import { root } from "../../support/node/platform/platform.ts";

const { baseUrl, key } = inject("platform");
const PICTURES = join(root, "node_modules/.cache/console-pictures");
const REFUSED = /This dashboard can't be shown/;

const BY_COUNTRY = "SELECT country, count(*) AS customers FROM LAKE.sample.customers";
const DOC = {
  version: 1,
  kind: "dashboard",
  metadata: { name: "Customers by country" },
  filters: [
    { id: "where", label: "Where", type: "text", target: { field: "country" } },
    { id: "hidden", target: { field: "country" }, display: "hidden" },
  ],
  datasets: {
    customers: {
      engine: "sql",
      sql: `${BY_COUNTRY} WHERE $country = '' OR country = $country GROUP BY country ORDER BY country LIMIT $most`,
      parameters: { country: "", most: 5 },
    },
  },
  layout: {
    columns: 36,
    tiles: [
      { id: "note", x: 0, y: 0, w: 36, h: 3, type: "markdown", content: "Of **all** customers." },
      {
        ...{ id: "bars", x: 0, y: 3, w: 18, h: 10, type: "chart", source: "customers", title: "Customers" },
        viz: { type: "bar", x: { field: "country" }, y: [{ field: "customers" }] },
      },
      { id: "rows", x: 18, y: 3, w: 18, h: 10, type: "table", source: "customers", title: "Countries" },
    ],
  },
};

let browser: Browser;
let portal: Awaited<ReturnType<typeof startPortal>>;
let stranger: typeof portal;
let published: Published;
const contexts: BrowserContext[] = [];

beforeAll(async () => {
  await mkdir(PICTURES, { recursive: true });
  [browser, portal, stranger] = await Promise.all([openChromium(), startPortal(), startPortal()]);
  const settings = { frame_ancestors: [portal.origin], open_parameters: ["most"] };
  published = await publishDashboard({ baseUrl, key }, DOC, settings);
});
afterEach(() => Promise.all(contexts.splice(0).map((each) => each.close())));
afterAll(async () => {
  portal?.stop();
  stranger?.stop();
  await browser?.close();
});

const framed = (fragment: string, script = "") =>
  `<iframe title="Customers" width="1200" height="700" src="${published.embedUrl}${fragment}"></iframe>
   <script>${script}</script>`;

async function openPage(context?: BrowserContext): Promise<Page> {
  const own = context ?? (await browser.newContext({ viewport: { width: 1280, height: 800 } }));
  if (!context) contexts.push(own);
  return own.newPage();
}

async function frameIn(page: Page): Promise<Frame> {
  const element = await page.locator("iframe").elementHandle();
  return (await element!.contentFrame())!;
}

describe("a page that may frame the dashboard", () => {
  it("shows it to whoever holds a token, which leaves the address; no cookie travels", async () => {
    const signedIn = await visitConsole(browser, baseUrl, { key });
    contexts.push(signedIn.context);
    expect((await signedIn.context.cookies(baseUrl)).length).toBe(1);
    const page = await openPage(signedIn.context);
    const requests: Request[] = [];
    page.on("request", (request) => requests.push(request));
    portal.show(framed(`#token=${signToken(published)}&theme=light`));
    await page.goto(portal.origin);
    const frame = await frameIn(page);
    await frame.getByRole("heading", { name: "Customers by country" }).waitFor();
    await frame.getByRole("region", { name: "Countries" }).getByRole("row").nth(5).waitFor();
    await frame.locator("canvas").waitFor();
    expect(frame.url()).toBe(published.embedUrl);
    const ours = requests.filter((request) => request.url().startsWith(baseUrl));
    expect(ours.some((request) => request.url().includes("/datasets/customers"))).toBe(true);
    for (const request of ours) {
      expect([request.url(), "cookie" in (await request.allHeaders())]).toEqual([request.url(), false]);
      expect(request.url()).not.toContain("token");
    }
    expect(await frame.evaluate("JSON.stringify([localStorage, sessionStorage, document.cookie])")).toBe('[{},{},""]');
    await page.screenshot({ path: join(PICTURES, "embedded-light.png") });
    expect(await seriousFlaws(page)).toEqual([]);
  });

  it("binds what its token binds, leaves what is open to the reader, and takes its colours", async () => {
    const page = await openPage();
    portal.show(framed(`#token=${signToken(published, { country: "Norway" })}&theme=dark`));
    await page.goto(portal.origin);
    const frame = await frameIn(page);
    const rows = frame.getByRole("region", { name: "Countries" }).getByRole("row");
    await frame.getByRole("cell", { name: "Norway" }).waitFor();
    expect(await rows.count()).toBe(2);
    expect(await frame.locator("html").getAttribute("data-mantine-color-scheme")).toBe("dark");
    await page.screenshot({ path: join(PICTURES, "embedded-dark.png") });
    expect(await seriousFlaws(page)).toEqual([]);

    await page.evaluate(
      `document.querySelector("iframe").contentWindow.postMessage(${JSON.stringify({ type: "fjord:set", theme: "light", token: signToken(published) })}, "*")`,
    );
    await expect.poll(() => rows.count()).toBe(6);
    expect(await frame.locator("html").getAttribute("data-mantine-color-scheme")).toBe("light");
    await frame.getByLabel("most").fill("2");
    await frame.getByLabel("most").press("Enter");
    await expect.poll(() => rows.count()).toBe(3);
    await frame.getByLabel("Where").fill("Denmark");
    await frame.getByLabel("Where").press("Enter");
    await expect.poll(() => rows.count()).toBe(2);
    await frame.getByRole("cell", { name: "Denmark" }).waitFor();
  });

  it("is asked for a token where there is none, or one that has ended, and hands in another", async () => {
    const page = await openPage();
    const token = signToken(published);
    for (const fragment of ["", `#token=${signToken(published, {}, -5)}`, `#token=${token.slice(0, -4)}AAAA`]) {
      const answering = `addEventListener("message", ({ source, origin, data }) => {
        if (origin !== "${baseUrl}" || data.type !== "fjord:token-needed") return;
        window.asked = () => source.postMessage({ type: "fjord:set", token: "${token}" }, origin);
      });`;
      portal.show(`<script>${answering}</script>${framed(fragment)}`);
      await page.goto(portal.origin);
      const frame = await frameIn(page);
      await frame.getByText(REFUSED).waitFor();
      await expect.poll(() => page.evaluate("typeof asked")).toBe("function");
      await page.evaluate("asked()");
      await frame.getByRole("heading", { name: "Customers by country" }).waitFor();
    }
  });

  it("is one of the list: the browser frames it in no other", async () => {
    const page = await openPage();
    const reports: string[] = [];
    page.on("console", (message) => reports.push(message.text()));
    stranger.show(framed(`#token=${signToken(published)}`));
    await page.goto(stranger.origin);
    await expect.poll(() => reports.join("\n")).toContain("frame-ancestors");
    const frame = await frameIn(page);
    expect(await frame.locator("#root").count()).toBe(0);
  });

  it("is alone in being heard: a message of another window changes nothing", async () => {
    const page = await openPage();
    portal.show(framed("#theme=light"));
    await page.goto(portal.origin);
    const frame = await frameIn(page);
    await frame.getByText(REFUSED).waitFor();
    const message = JSON.stringify({ type: "fjord:set", theme: "dark", token: signToken(published) });
    // Messages come in the order in which they are sent.
    await frame.evaluate(`new Promise((resolve) => {
      addEventListener("message", ({ data }) => data === "after" && resolve());
      window.postMessage(${message}, "*");
      window.postMessage("after", "*");
    })`);
    expect(await frame.locator("html").getAttribute("data-mantine-color-scheme")).toBe("light");
    expect(await frame.getByText(REFUSED).count()).toBe(1);
  });
});

it("shows a dashboard that is not there as one that does not open", async () => {
  const page = await openPage();
  await page.goto(`${published.embedUrl}-of-nobody#token=${signToken(published)}`);
  await page.getByText(REFUSED).waitFor();
});

describe("a dashboard in the console", () => {
  it.each(["light", "dark"] as const)("is published with the lines that embed it: %s", async (scheme) => {
    const doc = { ...DOC, metadata: { name: `Shown ${scheme}` } };
    const { id } = (await ask({ baseUrl, key }, "POST", "/v4/docs", doc)).data;
    const visit = await visitConsole(browser, baseUrl, { key, scheme, isPhone: scheme === "dark" });
    contexts.push(visit.context);
    const { page } = visit;
    await visit.open(`/dashboards/${String(id)}`);
    await page.getByRole("button", { name: "Publish" }).click();
    const dialog = page.getByRole("dialog", { name: "Show it in other pages" });
    await dialog.getByRole("combobox", { name: "Role" }).click();
    await page
      .getByRole("option", { name: /^Dashboard: / })
      .first()
      .click();
    await dialog.getByRole("combobox", { name: "Pages that may show it" }).fill(portal.origin);
    await dialog.getByRole("combobox", { name: "Pages that may show it" }).press("Enter");
    await page.screenshot({ path: join(PICTURES, `publish-${scheme}.png`) });
    expect(await seriousFlaws(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Publish" }).click();
    const snippet = dialog.getByRole("region", { name: "What a page takes to show it" });
    expect(await snippet.textContent()).toContain(`/shown-${scheme}#theme=auto`);
    await dialog.getByRole("button", { name: "Make the secret" }).click();
    // The second one asks once more.
    await page.getByRole("button", { name: "Make the secret" }).nth(1).click();
    await dialog.getByRole("region", { name: "The secret" }).waitFor();
    await page.screenshot({ path: join(PICTURES, `published-${scheme}.png`) });
    expect(await seriousFlaws(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Withdraw" }).click();
    await page.getByRole("button", { name: "Withdraw" }).nth(1).click();
    await dialog.getByLabel("Name").waitFor();
    expect(visit.offences()).toEqual([]);
  });
});
