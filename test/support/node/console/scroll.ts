// A table is scrolled as people do it: its bar is dragged from the top to the end, and the wheel is turned.

import type { Locator, Page } from "playwright-core";

const DRAG_MS = 5_000;
const WHEEL_MS = 3_000;
const WHEEL_PX = 240;
const FRAME_MS = 1_000 / 60;
/** The arrow at either end of a bar, and half of the shortest thumb. */
const THUMB_PX = 24;
const BAR_PX = 7;

type Size = { scrollTop: number; scrollHeight: number; clientHeight: number };
const sizeOf = (scroller: Locator): Promise<Size> =>
  scroller.evaluate(({ scrollTop, scrollHeight, clientHeight }: Size) => ({ scrollTop, scrollHeight, clientHeight }));

/** From the top. Throws where the bar does not come to its end. */
export async function dragToEnd(page: Page, scroller: Locator): Promise<void> {
  const box = (await scroller.boundingBox())!;
  const x = box.x + box.width - BAR_PX;
  await page.mouse.move(x, box.y + THUMB_PX);
  await page.mouse.down();
  await eachFrame(DRAG_MS, (share) => page.mouse.move(x, box.y + THUMB_PX + share * box.height));
  await page.mouse.up();
  const { scrollTop, scrollHeight, clientHeight } = await sizeOf(scroller);
  if (scrollTop + clientHeight < scrollHeight - 2)
    throw new Error(`The bar was dragged to ${scrollTop} of ${scrollHeight - clientHeight}.`);
}

/** Upwards from where it is. */
export async function turnWheel(page: Page, scroller: Locator): Promise<void> {
  const box = (await scroller.boundingBox())!;
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await eachFrame(WHEEL_MS, () => page.mouse.wheel(0, -WHEEL_PX));
}

/** Sixty times a second, with the share of the time that has passed; 1 at last. */
async function eachFrame(ms: number, act: (share: number) => Promise<void>): Promise<void> {
  const startedAt = performance.now();
  for (let share = 0; share < 1; ) {
    share = Math.min(1, (performance.now() - startedAt) / ms);
    await act(share);
    const next = (Math.floor((performance.now() - startedAt) / FRAME_MS) + 1) * FRAME_MS;
    await new Promise((resolve) => setTimeout(resolve, next - (performance.now() - startedAt)));
  }
}
