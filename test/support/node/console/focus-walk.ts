// Tab leads through a page from its beginning to its end: every stop shows that it has the focus, and none keeps it.

import type { Page } from "playwright-core";

/** More stops are a page that nobody walks through. */
const STOPS_MAX = 200;
const FRAMES_MAX = 20;

/**
 * Runs in the page. What an element and those around it look like: a ring may be drawn by a parent, or by the picture
 * of a control that is itself hidden.
 */
const IN_PAGE = `
const around = (element) => {
  const [parent, label] = [element.parentElement, element.labels?.[0]];
  return [element, element.previousElementSibling, element.nextElementSibling, parent, parent?.parentElement, label];
};
const lookOf = (element) => {
  for (const animation of document.getAnimations()) if (animation.effect?.getComputedTiming().endTime !== Infinity) animation.finish();
  return around(element).filter(Boolean).map((one) => ["", "::after"].map((part) => {
    const { outline, borderColor, boxShadow, backgroundColor, borderStyle } = getComputedStyle(one, part);
    return [outline, borderColor, boxShadow, backgroundColor, borderStyle].join();
  }).join()).join();
};
const nameOf = ({ tagName, ariaLabel, innerText, labels }) =>
  tagName + " " + (ariaLabel ?? labels?.[0]?.innerText ?? innerText ?? "").slice(0, 60);
`;

const REMEMBER = `(async () => { ${IN_PAGE}
  // Some controls learn a frame later that they have the focus.
  for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
  const element = document.activeElement;
  globalThis.focusWalk = { element, look: lookOf(element) };
  return element === document.body ? null : nameOf(element);
})()`;

/** What was wrong with the stop before: it looked the same with the focus as it does without, or it still has it. */
const COMPARE = `(async () => { ${IN_PAGE}
  const { element, look } = globalThis.focusWalk;
  if (element === document.activeElement) return "keeps the focus";
  for (let frame = 0; frame < ${FRAMES_MAX}; frame++) {
    if (!element.isConnected || look !== lookOf(element)) return null;
    await new Promise(requestAnimationFrame);
  }
  return "does not show that it has the focus";
})()`;

/** The flaws of all stops behind the one where the focus is now. */
export async function focusFlaws(page: Page): Promise<string[]> {
  const flaws: string[] = [];
  await page.keyboard.press("Tab");
  for (let stops = 0; stops < STOPS_MAX; stops++) {
    const name = await page.evaluate<string | null>(REMEMBER);
    if (name === null) return flaws;
    await page.keyboard.press("Tab");
    let flaw = await page.evaluate<string | null>(COMPARE);
    if (flaw === "keeps the focus") {
      // An editor takes the Tab key, and says that Escape gives it back.
      await page.keyboard.press("Escape");
      await page.keyboard.press("Tab");
      flaw = await page.evaluate<string | null>(COMPARE);
      if (flaw === "keeps the focus") return [...flaws, `${name} ${flaw}`];
    }
    if (flaw !== null) flaws.push(`${name} ${flaw}`);
  }
  return [...flaws, `There are more than ${STOPS_MAX} stops.`];
}
