// The memory of a page: what its scripts hold, and what the process has that draws it.

import type { Browser, Page } from "playwright-core";
import { memoryMb } from "../support/measure.ts";

export type PageMemory = { heapMb: number; processMb: number };

/** After a collection of garbage. `processMb` is that of the largest page of the browser. */
export async function memoryOf(browser: Browser, page: Page): Promise<PageMemory> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("HeapProfiler.collectGarbage");
  const { usedSize } = await devtools.send("Runtime.getHeapUsage");
  const { processInfo } = await (await browser.newBrowserCDPSession()).send("SystemInfo.getProcessInfo");
  const pages = processInfo.filter(({ type }) => type === "renderer");
  const memories = await Promise.all(pages.map(async ({ id }) => (await memoryMb(id))?.now ?? 0));
  return { heapMb: usedSize / 1e6, processMb: Math.max(...memories) };
}
