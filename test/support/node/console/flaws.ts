// The flaws that axe finds on a page, those that keep people out, are listed in a line each.

import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";

/** Serious and critical findings alone, of the page or of what a selector finds; each with the element it is about. */
export async function seriousFlaws(page: Page, within = "html"): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).include(within).analyze();
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
}
