// Every screen of the navigation, as it is for a new team: drawn without an offence, open to everybody, for a member
// too, walked through by Tab, and pictured in both colour schemes and on a phone, for people to look at.

import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { openChromium } from "../../support/node/console/chromium.ts";
import { seriousFlaws } from "../../support/node/console/flaws.ts";
import { focusFlaws } from "../../support/node/console/focus-walk.ts";
import { newMember } from "../../support/node/console/people.ts";
import { visitConsole, type Visitor } from "../../support/node/console/visit.ts";
import { root } from "../../support/node/platform/platform.ts";

const admin = inject("platform");
const PICTURES = join(root, "node_modules/.cache/console-pictures");
const VISITORS = {
  light: { scheme: "light" },
  dark: { scheme: "dark" },
  phone: { scheme: "light", isPhone: true },
  member: { scheme: "light" },
} satisfies Record<string, Visitor>;

let browser: Browser;
beforeAll(async () => {
  await mkdir(PICTURES, { recursive: true });
  browser = await openChromium();
});
afterAll(() => browser?.close());

it.each(Object.entries(VISITORS))("is well on every screen: %s", async (name, visitor) => {
  const { key } = name === "member" ? await newMember(admin) : admin;
  const { page, open, offences, end } = await visitConsole(browser, admin.baseUrl, { ...visitor, key });
  for (const path of await screenPaths(page)) {
    await open(path);
    await page.waitForLoadState("networkidle");
    await page.screenshot({ path: join(PICTURES, `${name}-${path.slice(1) || "start"}.png`) });
    expect([path, await seriousFlaws(page), offences()]).toEqual([path, [], []]);
  }
  await end();
});

it("is walked through by Tab: each stop of each screen shows that it has the focus, and none keeps it", async () => {
  const { page, open, end } = await visitConsole(browser, admin.baseUrl, admin);
  for (const path of await screenPaths(page)) {
    await open(path);
    await page.waitForLoadState("networkidle");
    expect([path, await focusFlaws(page)]).toEqual([path, []]);
  }
  await end();
});

/** Below /app, as the navigation lists them. */
async function screenPaths(page: Page): Promise<string[]> {
  // A link as a text is its whole address.
  const links = await page.locator("#navigation li a").evaluateAll((found) => found.map(String));
  expect(links.length).toBeGreaterThan(5);
  return links.map((link) => new URL(link).pathname.replace(/^\/app/, ""));
}
