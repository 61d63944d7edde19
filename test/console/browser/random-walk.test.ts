// A member who wanders: actions that chance picks on the real page. No draft vanishes, no answer lands in another tab,
// nothing that the member's role hides is in any answer, and the page does nothing that a visit must not.

import fc from "fast-check";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { openChromium } from "../../support/node/console/chromium.ts";
import { ask } from "../../support/node/console/api.ts";
import { newMember } from "../../support/node/console/people.ts";
import { visitConsole } from "../../support/node/console/visit.ts";
import { WorkspaceModel } from "../../support/node/console/walk/workspace-model.ts";

const { baseUrl } = inject("platform");
/** `WALK_SECONDS` and `WALK_SEED` of the environment make it longer, and one that failed again. */
const SECONDS = Number(process.env["WALK_SECONDS"] ?? "60");
const SEED = Number(process.env["WALK_SEED"] ?? "1");
/** Each is looked at again in the end. */
const TABS_MAX = 12;
const HIDDEN = "hidden-from-the-wanderer";

type Action =
  | { do: "write"; text: string }
  | { do: "ask"; rows: number }
  | { do: "ask for what is hidden" | "new tab" | "cancel" | "reload" | "back" }
  | { do: "switch tab" | "go to a screen"; nth: number }
  | { do: "use the palette"; text: string };

const draft = fc.stringMatching(/^[a-z ]{0,30}$/).map((words) => `-- ${words}\nSELECT 1`);
const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant("write" as const), text: draft }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("ask" as const), rows: fc.constantFrom(1, 1_000, 3_000_000) }) },
  { weight: 1, arbitrary: fc.constant({ do: "ask for what is hidden" as const }) },
  { weight: 2, arbitrary: fc.constantFrom({ do: "new tab" as const }, { do: "cancel" as const }) },
  { weight: 2, arbitrary: fc.constantFrom({ do: "reload" as const }, { do: "back" as const }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("switch tab" as const), nth: fc.nat(20) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("go to a screen" as const), nth: fc.nat(40) }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant("use the palette" as const), text: fc.stringMatching(/^[a-z]{1,8}$/) }),
  },
);

let browser: Browser;
let wanderer: string;

beforeAll(async () => {
  browser = await openChromium();
  await ask(inject("platform"), "POST", "/v1/query", {
    sql: `CREATE OR REPLACE TABLE LAKE.main.concealed AS SELECT '${HIDDEN}' AS word`,
  });
  ({ key: wanderer } = await newMember(inject("platform"), "sample"));
});
afterAll(() => browser?.close());

it(
  "loses and mixes nothing, wherever it goes",
  async () => {
    const { page, open, offences, expectStatus, end } = await visitConsole(browser, baseUrl, { key: wanderer });
    const leaks: string[] = [];
    page.on("response", (response) => {
      response.body().then(
        (body) => body.includes(HIDDEN) && leaks.push(response.url()),
        // A page that goes on lets the answers of the one before it go.
        () => undefined,
      );
    });
    // A table that is hidden reads as one that is missing.
    for (const status of [400, 404]) expectStatus(status);
    await open("/query");
    const model = new WorkspaceModel(page);
    await model.adopt();
    const done: string[] = [];
    const endsAt = Date.now() + SECONDS * 1_000;
    for (let part = 0; Date.now() < endsAt; part++) {
      for (const next of fc.sample(action, { seed: SEED + part, numRuns: 50 })) {
        if (Date.now() > endsAt) break;
        done.push(JSON.stringify(next));
        await step(page, model, next);
        expect([await model.flaws(), offences(), leaks], history(done)).toEqual([[], [], []]);
      }
    }
    for (const id of model.tabs.keys()) {
      await open(`/query/${id}`);
      expect(await model.flaws(), history(done)).toEqual([]);
    }
    console.log(`${done.length} actions over ${model.tabs.size} tabs`);
    expect(done.length).toBeGreaterThan(SECONDS / 10);
    await end();
  },
  (SECONDS + 240) * 1_000,
);

const history = (done: readonly string[]): string =>
  `WALK_SEED=${SEED}, last of ${done.length}: ${done.slice(-12).join(" ")}`;

async function step(page: Page, model: WorkspaceModel, next: Action): Promise<void> {
  switch (next.do) {
    case "write":
      await goToQuery(page);
      return model.write(next.text);
    case "ask":
      await goToQuery(page);
      return model.ask(next.rows);
    case "ask for what is hidden":
      await goToQuery(page);
      await model.write("SELECT * FROM LAKE.main.concealed");
      return page.keyboard.press("Control+Enter");
    case "new tab":
      if (model.tabs.size >= TABS_MAX) return;
      await goToQuery(page);
      await page.getByRole("button", { name: "New tab" }).click();
      await model.adopt();
      return;
    case "cancel":
      return page.keyboard.press("Escape");
    case "reload":
      await page.reload();
      return drawn(page);
    case "back":
      await page.goBack({ waitUntil: "commit" });
      return drawn(page);
    case "switch tab": {
      await goToQuery(page);
      const tabs = page.getByRole("tablist", { name: "Queries" }).getByRole("tab");
      await tabs.nth(next.nth % (await tabs.count())).click();
      await model.adopt();
      return;
    }
    case "go to a screen": {
      const links = page.locator("#navigation li a");
      await links.nth(next.nth % (await links.count())).click();
      return drawn(page);
    }
    case "use the palette":
      await page.keyboard.press("Control+K");
      await page.getByRole("combobox", { name: "Go to" }).fill(next.text);
      return page.keyboard.press("Escape");
  }
}

const drawn = (page: Page): Promise<void> => page.locator("main").first().waitFor();

async function goToQuery(page: Page): Promise<void> {
  if (!/\/app\/query\//.test(page.url())) await page.locator('#navigation a[href="/app/query"]').click();
  await page.locator(".cm-content").first().waitFor();
}
