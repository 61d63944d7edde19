// A result of a million rows: its last row is reached by keys and by the scroll bar, and a column is copied whole.

import type { Browser, Locator } from "playwright-core";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { openChromium, WITH_SCROLL_BARS } from "../../support/node/console/chromium.ts";
import { ROWS, showMillionRows, WIDE } from "../../support/node/console/million-rows.ts";
import { dragToEnd } from "../../support/node/console/scroll.ts";
import { visitConsole, type Visit } from "../../support/node/console/visit.ts";

const { baseUrl, key } = inject("platform");
let browser: Browser;
let visit: Visit;
let grid: Locator;
const last = () => grid.getByRole("rowheader", { name: String(ROWS), exact: true });

beforeAll(async () => {
  browser = await openChromium(WITH_SCROLL_BARS);
  visit = await visitConsole(browser, baseUrl, { key });
  await visit.context.grantPermissions(["clipboard-read", "clipboard-write"]);
  grid = await showMillionRows(visit);
});
afterAll(() => browser?.close());

/** The last row stands within the grid, not below its edge. */
async function seeLastRow(): Promise<void> {
  await last().waitFor();
  const [box, cell] = [(await grid.boundingBox())!, (await last().boundingBox())!];
  expect(cell.y).toBeGreaterThanOrEqual(box.y);
  expect(cell.y + cell.height).toBeLessThanOrEqual(box.y + box.height);
}

it("comes to its last row by the End key, and to its first again", async () => {
  expect(await grid.getAttribute("aria-rowcount")).toBe(String(ROWS + 1));
  await grid.focus();
  await visit.page.keyboard.press("Control+End");
  await seeLastRow();
  expect(await grid.getByText(`[${ROWS},${ROWS + 1}]`, { exact: true }).isVisible()).toBe(true);
  await visit.page.keyboard.press("Control+Home");
  await grid.getByText(String(WIDE + 1n), { exact: true }).waitFor();
});

it("comes to its last row by dragging the scroll bar to its end", async () => {
  await dragToEnd(visit.page, grid);
  await seeLastRow();
  expect(await grid.getByText(String(WIDE + BigInt(ROWS)), { exact: true }).isVisible()).toBe(true);
});

it("copies a column of a million cells exactly", async () => {
  const { page } = visit;
  await grid.focus();
  await page.keyboard.press("Control+Home");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Control+Shift+ArrowDown");
  await page.keyboard.press("Control+C");
  const lines = (await page.evaluate<string>("navigator.clipboard.readText()")).split("\n");
  expect(lines.length).toBe(ROWS);
  for (const at of [0, 1, 499_999, ROWS - 1]) expect(lines[at]).toBe(String(WIDE + BigInt(at + 1)));
  expect(visit.offences()).toEqual([]);
});
