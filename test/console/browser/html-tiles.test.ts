// A tile of an HTML file: it is drawn with the rows of its datasets, and whatever it tries, nothing gets out of its
// frame. A server of this machine hears what would.

import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Browser, BrowserContext, Frame, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from "vitest";
import { ask } from "../../support/node/console/api.ts";
import { openChromium } from "../../support/node/console/chromium.ts";
import {
  publishDashboard,
  signToken,
  startListener,
  startPortal,
  uploadFile,
} from "../../support/node/console/published.ts";
import { visitConsole } from "../../support/node/console/visit.ts";
import { root } from "../../support/node/platform/platform.ts";
import { attacksOn } from "../../support/node/console/attacks.ts";

const api = inject("platform");
const { baseUrl, key } = api;
const PICTURES = join(root, "node_modules/.cache/console-pictures");
const ALL_TRIED_MS = 3_000;

const GOOD = `<!doctype html><html lang="en"><title>Totals</title><body><ul id="list"></ul><script>
  const page = document.querySelector("#list");
  addEventListener("load", () => page.dataset.loaded = "");
</script><script>
  fjord.onData(({ totals }, theme) => {
    if (!totals) return;
    const [country, customers] = ["country", "customers"].map((name) => totals.columns.findIndex((one) => one.name === name));
    document.querySelector("#list").innerHTML = totals.rows.map((row) => "<li>" + row[country] + " " + row[customers] + "</li>").join("");
    document.body.dataset.theme = theme;
    fjord.setHeight(100000);
  });
</script></body></html>`;

const docOf = (driveFile: string, name: string) => ({
  version: 1,
  kind: "dashboard",
  metadata: { name },
  datasets: {
    totals: {
      engine: "sql",
      sql: "SELECT country, count(*) AS customers FROM LAKE.sample.customers GROUP BY country ORDER BY country LIMIT 3",
    },
  },
  layout: {
    tiles: [{ id: "page", x: 0, y: 0, w: 36, h: 10, type: "html", title: "Page", driveFile, datasets: ["totals"] }],
  },
});

let browser: Browser;
let listener: Awaited<ReturnType<typeof startListener>>;
let portal: Awaited<ReturnType<typeof startPortal>>;
const contexts: BrowserContext[] = [];

beforeAll(async () => {
  await mkdir(PICTURES, { recursive: true });
  [browser, listener, portal] = await Promise.all([openChromium(), startListener(), startPortal()]);
  await uploadFile(api, "tiles/good.html", GOOD);
  await uploadFile(api, "tiles/hostile.html", attacksOn(listener.port));
});
afterEach(() => Promise.all(contexts.splice(0).map((each) => each.close())));
afterAll(async () => {
  listener?.stop();
  portal?.stop();
  await browser?.close();
});

/** The frame of the tile, wherever in the page it is. */
async function tileFrame(page: Page): Promise<Frame> {
  const found = () => page.frames().find((frame) => frame.url().endsWith("/tile-frame"));
  await expect.poll(found).toBeDefined();
  return found()!;
}

type Opened = { page: Page; offences: () => string[] };

/** `hidesHeader`: as a browser sees it that does not know this header. */
async function openInConsole(driveFile: string, name: string, hidesHeader?: string): Promise<Opened> {
  const { id } = (await ask(api, "POST", "/v4/docs", docOf(driveFile, name))).data;
  const { page, context, open, offences } = await visitConsole(browser, baseUrl, { key });
  contexts.push(context);
  if (hidesHeader !== undefined)
    await context.route("**/tile-frame", async (route) => {
      const response = await route.fetch();
      const { [hidesHeader]: hidden, ...headers } = response.headers();
      expect(hidden).toBeDefined();
      await route.fulfill({ response, headers });
    });
  await open(`/dashboards/${String(id)}`);
  return { page, offences };
}

async function openEmbedded(driveFile: string, name: string): Promise<Page> {
  const made = await publishDashboard(api, docOf(driveFile, name), { frame_ancestors: [portal.origin] });
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  contexts.push(context);
  const page = await context.newPage();
  portal.show(
    `<iframe title="x" width="1200" height="600" src="${made.embedUrl}#token=${signToken(made)}&theme=light"></iframe>`,
  );
  await page.goto(portal.origin);
  return page;
}

describe("a tile of an HTML file", () => {
  const isDrawn = async (page: Page) => {
    const frame = await tileFrame(page);
    await frame.locator("#list[data-loaded] li").nth(2).waitFor();
    expect(await frame.locator("li").count()).toBe(3);
    expect(await frame.locator("body").getAttribute("data-theme")).toBe("light");
    const element = await frame.frameElement();
    // What it asks for is bounded.
    await expect.poll(async () => (await element.boundingBox())?.height).toBe(4_000);
  };

  it("is drawn in the console with the rows of its datasets", async () => {
    const { page, offences } = await openInConsole("tiles/good.html", "Good");
    await isDrawn(page);
    await page.screenshot({ path: join(PICTURES, "html-tile.png") });
    expect(offences()).toEqual([]);
  });

  it("is drawn within another page", async () => {
    await isDrawn(await openEmbedded("tiles/good.html", "good"));
  });
});

describe("nothing gets out of the frame of a tile", () => {
  const isKept = async (page: Page) => {
    const address = page.url();
    const frame = await tileFrame(page);
    await frame.locator("#attempts[data-done]").waitFor();
    const attempts = JSON.parse((await frame.locator("#attempts").textContent())!) as Record<string, string>;
    expect(Object.keys(attempts).length).toBeGreaterThan(15);
    for (const [name, outcome] of Object.entries(attempts)) expect([name, outcome]).not.toEqual([name, "done"]);
    // What is asked for later than a try's end would be heard by then.
    await page.waitForTimeout(ALL_TRIED_MS);
    expect(listener.heard).toEqual([]);
    expect([page.url(), page.context().pages().length]).toEqual([address, 1]);
    expect(await page.evaluate("document.title")).not.toBe("stolen");
  };

  it("in the console", async () => {
    const { page } = await openInConsole("tiles/hostile.html", "Hostile");
    await isKept(page);
  });

  it("in the console of a browser that knows no allow-list of connections", async () => {
    const { page } = await openInConsole("tiles/hostile.html", "Hostile", "connection-allowlist");
    await isKept(page);
  });

  it("within another page", async () => {
    await isKept(await openEmbedded("tiles/hostile.html", "hostile"));
  });

  it("where its frame is opened by itself", async () => {
    const context = await browser.newContext();
    contexts.push(context);
    const page = await context.newPage();
    await page.goto(`${baseUrl}/app/tile-frame`);
    expect(await page.evaluate("origin")).toBe("null");
  });

  it("leads to no other page of the platform, which counts what is fetched", async () => {
    const counted = "/f/0000000000000000000000";
    await uploadFile(
      api,
      "tiles/counted.html",
      `<p>Here</p><script>location.href = "${api.baseUrl}${counted}"</script>`,
    );
    const { page } = await openInConsole("tiles/counted.html", "Counted");
    const asked: string[] = [];
    page.on("response", (response) => void asked.push(new URL(response.url()).pathname));
    await page.reload();
    await page.locator("iframe").waitFor();
    await page.waitForTimeout(ALL_TRIED_MS);
    expect(asked).toContain("/app/tile-frame");
    expect(asked).not.toContain(counted);
  });

  it("leads nowhere else by itself", async () => {
    for (const how of [`location.href = "X"`, `document.write('<meta http-equiv="refresh" content="0;url=X">')`]) {
      const away = how.replace("X", `http://127.0.0.1:${listener.port}/navigated`);
      await uploadFile(api, "tiles/away.html", `<p id="here">Here</p><script>${away}</script>`);
      const { page } = await openInConsole("tiles/away.html", "Away");
      await page.locator("iframe").waitFor();
      await page.waitForTimeout(ALL_TRIED_MS);
      expect(listener.heard).toEqual([]);
    }
  });
});
