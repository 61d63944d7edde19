// A browser that is killed: what was typed before is there when it opens again, but for its last seconds.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BrowserContext, Page } from "playwright-core";
import { expect, inject, it, onTestFinished } from "vitest";
import { openChromiumIn } from "../../support/node/console/chromium.ts";
import { signIn } from "../../support/node/console/visit.ts";
import { listFamily } from "../../support/node/programs/processes.ts";

const { baseUrl, key } = inject("platform");
/** Chromium writes what a page keeps to the disk within five seconds, and its cookies within thirty. */
const WRITTEN_MS = 6_000;

it("loses no draft of a query or of a doc", async () => {
  const folder = await mkdtemp(join(tmpdir(), "fjord-browser-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const before = await openChromiumIn(folder, baseUrl);
  const page = await before.newPage();
  await signIn(page, key);
  await type(page, "/app/docs/new", "# A doc that nobody has saved.\n");
  await type(page, "/app/query", "SELECT 'a draft that nobody has saved'");
  await page.waitForTimeout(WRITTEN_MS);
  await kill(before, folder);

  const after = await openChromiumIn(folder, baseUrl);
  onTestFinished(() => after.close());
  const again = await after.newPage();
  await signIn(again, key);
  for (const [path, text] of [
    ["/app/query", "a draft that nobody has saved"],
    ["/app/docs/new", "# A doc that nobody has saved."],
  ] as const) {
    await again.goto(path);
    await again.locator(".cm-content", { hasText: text }).waitFor();
  }
});

async function type(page: Page, path: string, text: string): Promise<void> {
  await page.goto(path);
  const editor = page.locator(".cm-content").first();
  await editor.focus();
  await page.keyboard.press("Control+Home");
  await page.keyboard.insertText(text);
  await editor.getByText(text.trim()).waitFor();
}

/** SIGKILL to all of its processes: nothing is written on the way out. */
async function kill(context: BrowserContext, folder: string): Promise<void> {
  const family = (await listFamily(process.pid)).filter(({ command }) => command.includes(folder));
  expect(family.length).toBeGreaterThan(0);
  const gone = new Promise((resolve) => context.once("close", resolve));
  for (const { pid } of family) process.kill(pid, "SIGKILL");
  await gone;
}
