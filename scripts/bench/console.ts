// The console's grid of a million rows beside hightable's, in one browser after another: what a frame costs the main
// thread while the rows are scrolled, and what the page holds in memory. Besides, how soon the workspace takes a key.

import type { Browser, Locator, Page } from "playwright-core";
import { openChromium, WITH_SCROLL_BARS } from "../../test/support/node/console/chromium.ts";
import { compressedBytes, firstLoad } from "../../test/support/node/console/first-load.ts";
import { ROWS, showMillionRows, STATEMENT, WIDE } from "../../test/support/node/console/million-rows.ts";
import { dragToEnd, turnWheel } from "../../test/support/node/console/scroll.ts";
import { visitConsole } from "../../test/support/node/console/visit.ts";
import { watchFrames, type FrameReport } from "./console/frames.ts";
import { memoryOf, type PageMemory } from "./console/memory.ts";
import { RIVAL, serveRival } from "./console/rival-page.ts";
import { alternate, fixed, machineLoad, median, printTable, ratio, say } from "./support/measure.ts";
import { startPlatform, type Platform } from "./support/platform.ts";

const ROUNDS = 3;
const LOADS = 5;
const AIM_MS = 12;
const SHOWN_MS = 240_000;
const WINDOW = { width: 1440, height: 900 };

/** The rows in a page, and what scrolls them. */
type Shown = { page: Page; scroller: Locator };
type Contender = (browser: Browser) => Promise<Shown>;
type Size = { width: number; height: number };
type Figures = { drag: FrameReport; wheel: FrameReport; memory: PageMemory; cells: number };

export async function benchConsole(): Promise<void> {
  const platform = await startPlatform();
  try {
    const rows = await readRows(platform);
    const ours = openWorkspace(platform);
    const size = await sizeOf(ours);
    const rival = await serveRival(rows).catch((error: unknown) => {
      throw new Error("The yardstick's page could not be made.", { cause: error });
    });
    try {
      const contenders = { ours: measured(ours), theirs: measured(openRival(rival.url, size)) };
      reportGrid(await alternate(ROUNDS, contenders), { ...size, bytes: rows.byteLength });
    } finally {
      await rival.stop();
    }
    await reportLoads(platform);
  } finally {
    await platform.stop();
  }
}

async function readRows({ url, key }: Platform): Promise<Uint8Array> {
  const answer = await fetch(`${url}/v1/query`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      accept: "application/vnd.apache.arrow.stream",
    },
    body: JSON.stringify({ sql: STATEMENT }),
    signal: AbortSignal.timeout(SHOWN_MS),
  });
  if (!answer.ok) throw new Error(`The statement was answered ${answer.status}: ${await answer.text()}`);
  return new Uint8Array(await answer.arrayBuffer());
}

const openWorkspace =
  ({ url, key }: Platform): Contender =>
  async (browser) => {
    const visit = await visitConsole(browser, url, { key });
    return { page: visit.page, scroller: await showMillionRows(visit) };
  };

const openRival =
  (url: string, { width, height }: Size): Contender =>
  async (browser) => {
    const page = await browser.newPage({ viewport: WINDOW, reducedMotion: "reduce" });
    await page.goto(`${url}?width=${width}&height=${height}`);
    await page.getByRole("cell", { name: "customer 1", exact: true }).waitFor({ timeout: SHOWN_MS });
    return { page, scroller: page.locator('[class*="table-scroll"]') };
  };

/** How large the console's grid is; the yardstick's table is made as large. */
async function sizeOf(contender: Contender): Promise<Size> {
  const browser = await openChromium(WITH_SCROLL_BARS);
  try {
    return (await (await contender(browser)).scroller.boundingBox())!;
  } finally {
    await browser.close();
  }
}

const measured = (contender: Contender) => async (): Promise<Figures> => {
  const browser = await openChromium(WITH_SCROLL_BARS);
  try {
    const { page, scroller } = await contender(browser);
    const memory = await memoryOf(browser, page);
    const drag = await watchFrames(browser, page, () => dragToEnd(page, scroller));
    // A grid that has come to its end, and does not show the last row, has not drawn what is compared.
    await scroller.getByText(String(WIDE + BigInt(ROWS)), { exact: true }).waitFor();
    const wheel = await watchFrames(browser, page, () => turnWheel(page, scroller));
    const cells = await scroller.locator('[role="gridcell"]:visible, [role="cell"]:visible').count();
    return { drag, wheel, memory, cells };
  } finally {
    await browser.close();
  }
};

type Results = Record<"ours" | "theirs", Figures[]>;

function reportGrid(results: Results, { width, height, bytes }: Size & { bytes: number }): void {
  const names = { ours: "the console's grid", theirs: `${RIVAL.name} ${RIVAL.version}` };
  const rowOf = (who: keyof Results, act: "drag" | "wheel") => {
    const of = (field: keyof FrameReport) => results[who].map((figures) => figures[act][field]);
    const ours = results.ours.map((figures) => figures[act].p95);
    return [
      `${names[who]}, ${act === "drag" ? "bar from top to end" : "wheel"}`,
      ...(["p50", "p95", "max"] as const).map((field) => fixed(median(of(field)))),
      fixed(median(of("perSecond")), 0),
      `${fixed(ratio(ours, of("p95")), 2)}×`,
    ];
  };
  printTable(
    `${ROWS.toLocaleString("en-US")} rows of 12 columns, ${fixed(bytes / 1e6, 0)} MB, in ${fixed(width, 0)} × ${fixed(height, 0)} pixels: the ` +
      `main thread's CPU time for each frame that draws, medians of ${ROUNDS} alternating rounds`,
    ["", "p50 ms", "p95 ms", "max ms", "frames/s", "p95 of ours is"],
    (["drag", "wheel"] as const).flatMap((act) => [rowOf("ours", act), rowOf("theirs", act)]),
  );
  const of = (who: keyof Results, field: keyof PageMemory) => results[who].map(({ memory }) => memory[field]);
  printTable(
    "The page with the rows in it: memory in MB, and the cells that it has elements for",
    ["", "JavaScript's heap", "process", "cells"],
    (["ours", "theirs"] as const).map((who) => [
      names[who],
      fixed(median(of(who, "heapMb")), 0),
      fixed(median(of(who, "processMb")), 0),
      fixed(median(results[who].map(({ cells }) => cells)), 0),
    ]),
  );
  const worst = Math.max(
    median(results.ours.map(({ drag }) => drag.p95)),
    median(results.ours.map(({ wheel }) => wheel.p95)),
  );
  say(
    `Aim of ours: p95 at most ${AIM_MS} ms: ${worst <= AIM_MS ? "reached" : "missed"}. ` +
      `Load of the machine ${machineLoad()}.`,
  );
}

/** How soon the workspace takes a key in a browser that has nothing of it, and what comes before its first screen. */
async function reportLoads({ url, key }: Platform): Promise<void> {
  const browser = await openChromium();
  try {
    const { page, context } = await visitConsole(browser, url, { key });
    await page.close();
    const cookies = await context.cookies();
    const ms: number[] = [];
    for (let round = 0; round < LOADS; round++) {
      const fresh = await browser.newContext({ baseURL: url, viewport: WINDOW });
      await fresh.addCookies(cookies);
      const opened = await fresh.newPage();
      await opened.goto("/app/query", { waitUntil: "commit" });
      await opened.locator(".cm-content").focus();
      await opened.keyboard.type("x");
      await opened.locator(".cm-line", { hasText: "x" }).waitFor();
      ms.push(await opened.evaluate<number>("performance.now()"));
      await fresh.close();
    }
    const kilobytes = compressedBytes(firstLoad("index.html")) / 1_000;
    say(
      `First load ${fixed(kilobytes, 0)} KB, compressed. The SQL workspace takes a key ${fixed(median(ms), 0)} ms after its ` +
        `address was opened (median of ${LOADS}, nothing cached). Load of the machine ${machineLoad()}.`,
    );
  } finally {
    await browser.close();
  }
}
