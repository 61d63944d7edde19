// The visits of a suite: each test makes those that it needs. They end with it, and a page that did what none must do
// fails it.

import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { openChromium } from "./chromium.ts";
import { visitConsole, type Visit, type Visitor } from "./visit.ts";

type SuiteVisit = (visitor?: Visitor, baseUrl?: string) => Promise<Visit>;

/** `prepare` is called with each visit before its test has it. Must be called where a suite is declared. */
export function suiteVisits(baseUrl: string, prepare: (visit: Visit) => void = () => undefined): SuiteVisit {
  let browser: Browser;
  let visits: Visit[] = [];
  beforeAll(async () => {
    browser = await openChromium();
  });
  afterAll(() => browser?.close());
  afterEach(async () => {
    const offences = visits.flatMap((each) => each.offences());
    await Promise.all(visits.map((each) => each.end()));
    visits = [];
    expect(offences).toEqual([]);
  });
  return async (visitor = {}, at = baseUrl) => {
    const made = await visitConsole(browser, at, visitor);
    prepare(made);
    visits.push(made);
    return made;
  };
}
