// Every screen of the navigation, as it is for a new team: drawn without an offence, open to everybody, for a member
// too, and pictured in both colour schemes and on a phone, for people to look at.

import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { openChromium } from "../../support/node/console/chromium.ts";
import { seriousFlaws } from "../../support/node/console/flaws.ts";
import { newMember } from "../../support/node/console/member.ts";
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
  // A link as a text is its whole address.
  const links = await page.locator("#navigation li a").evaluateAll((found) => found.map(String));
  expect(links.length).toBeGreaterThan(5);
  for (const path of links.map((link) => new URL(link).pathname.replace(/^\/app/, ""))) {
    await open(path);
    await page.waitForLoadState("networkidle");
    await page.screenshot({ path: join(PICTURES, `${name}-${path.slice(1) || "start"}.png`) });
    expect([path, await seriousFlaws(page), offences()]).toEqual([path, [], []]);
  }
  await end();
});
