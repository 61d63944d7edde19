// A picture of the drive may be a program: an SVG has scripts. It is shown as an image, which runs none, and opened by
// itself it runs none either.

import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { openChromium } from "../../support/node/console/chromium.ts";
import { startListener, uploadFile } from "../../support/node/console/published.ts";
import { visitConsole } from "../../support/node/console/visit.ts";

const api = inject("platform");

let browser: Browser;
let listener: Awaited<ReturnType<typeof startListener>>;
beforeAll(async () => {
  [browser, listener] = await Promise.all([openChromium(), startListener()]);
});
afterAll(async () => {
  listener?.stop();
  await browser?.close();
});

it("draws an SVG of the drive without running what is in it", async () => {
  const away = `fetch('http://127.0.0.1:${listener.port}/ran')`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30" onload="${away}"><script>${away}; globalThis.ran = 1</script><rect width="40" height="30"/></svg>`;
  await uploadFile(api, "pictures/program.svg", svg);
  const { page, context, open, offences } = await visitConsole(browser, api.baseUrl, { key: api.key });
  await open("/drive?path=pictures%2F&file=pictures%2Fprogram.svg");
  await page.getByRole("img", { name: "pictures/program.svg" }).waitFor();
  const image = `document.querySelector('img[alt="pictures/program.svg"]')`;
  await expect.poll(() => page.evaluate(`${image}.naturalWidth`)).toBe(40);
  expect(offences()).toEqual([]);
  const opening = context.waitForEvent("page");
  await page.evaluate(`void window.open(${image}.src)`);
  const alone = await opening;
  await alone.locator("rect").waitFor({ state: "attached" });
  expect(await alone.evaluate("typeof ran")).toBe("undefined");
  expect(listener.heard).toEqual([]);
  await context.close();
});
