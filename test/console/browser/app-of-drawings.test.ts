// The app of `visualize` in a real browser, framed by the MCP Apps extension's own bridge as a client frames it.

import { Client, StreamableHTTPClientTransport, type CallToolResult } from "@modelcontextprotocol/client";
import type { Browser, Frame, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { openAppHost, showApp } from "../../support/node/console/app-host.ts";
import { openChromium } from "../../support/node/console/chromium.ts";

const api = inject("platform");
const SQL = "SELECT * FROM (VALUES ('<b>Oslo</b>', 12.5), ('Bergen', NULL)) AS t (city, total)";
const BAR = { type: "bar", x: { field: "city" }, y: [{ field: "total" }] };

let browser: Browser;
let client: Client;
let html: string;
beforeAll(async () => {
  browser = await openChromium();
  client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
  const requestInit = { headers: { authorization: `Bearer ${api.key}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${api.baseUrl}/mcp`), { requestInit }));
  const { tools } = await client.listTools();
  const { ui } = tools.find(({ name }) => name === "visualize")!._meta as { ui: { resourceUri: string } };
  const { contents } = await client.readResource({ uri: ui.resourceUri });
  html = (contents[0] as { text: string }).text;
});
afterAll(() => browser?.close());

const draw = async (viz: object): Promise<CallToolResult> =>
  (await client.callTool({ name: "visualize", arguments: { viz, sql: SQL } })) as CallToolResult;

type Shown = { page: Page; app: Frame; errors: string[] };

async function show(result: CallToolResult, theme: "light" | "dark" = "light"): Promise<Shown> {
  const page = await browser.newPage();
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("console", (message) => void (message.type() === "error" && errors.push(message.text())));
  await openAppHost(page);
  await showApp(page, { html, result, theme });
  return { page, app: page.frames()[1]!, errors };
}

describe("the app of drawings", () => {
  it("shows a chart in the client's colours, and changes with them", async () => {
    const { page, app, errors } = await show(await draw(BAR));
    const image = app.getByRole("img");
    await expect.poll(() => app.evaluate("document.querySelector('img').naturalWidth")).toBe(640);
    await image.waitFor();
    const light = await image.getAttribute("src");
    await page.evaluate("bridge.setHostContext({ theme: 'dark' })");
    await expect.poll(() => image.getAttribute("src")).not.toBe(light);
    expect(await app.evaluate("document.documentElement.dataset.theme")).toBe("dark");
    await expect.poll(() => page.evaluate("sizes.at(-1)?.height")).toBeGreaterThan(300);
    expect(errors).toEqual([]);
    await page.close();
  });

  it("shows numbers and tables as text: markup of the data stays text, and NULL is marked", async () => {
    const kpi = await show(await draw({ type: "kpi", y: [{ field: "total", format: "currency" }] }));
    await expect.poll(() => kpi.app.getByRole("definition").innerText()).toContain("$12.50");
    const table = await show(await draw({ type: "table" }));
    await table.app.getByText("<b>Oslo</b>").waitFor();
    expect(await table.app.locator("b").count()).toBe(0);
    expect(await table.app.locator("td[data-null]").innerText()).toBe("NULL");
    expect([...kpi.errors, ...table.errors]).toEqual([]);
    for (const { page } of [kpi, table]) await page.close();
  });

  it("shows the picture where an answer has no drawing, and the reason where there is none of both", async () => {
    const { _meta, ...picture } = await draw(BAR);
    const { page, app } = await show(picture as CallToolResult);
    await expect.poll(() => app.getByRole("img").getAttribute("src")).toMatch(/^data:image\/png/);
    await page.close();
    const failed = await show(await draw({ ...BAR, x: { field: "town" } }));
    await failed.app.getByText("The result has no column town").waitFor();
    await failed.page.close();
  });
});
