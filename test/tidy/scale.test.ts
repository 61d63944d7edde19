// The page about scale and its picture are what its script computes from counts, prices and limits as they are now.

import { describe, expect, it } from "vitest";
import { CHART, renderChart } from "../../scripts/scale/chart.ts";
import { PAGE, renderPage } from "../../scripts/scale/page.ts";
import { CONTAINERS } from "../../scripts/scale/team.ts";
import { textOf } from "../support/node/tidy/source-tree.ts";

/** To be run where this fails. */
const COMMAND = "npm run scale -- write";

describe("the page about scale", () => {
  it("is about containers as they are set up", () => {
    const { instanceType, instancesMax, idleSeconds } = CONTAINERS;
    const set = textOf("wrangler.toml").matchAll(/^instance_type = "(.+)"\nmax_instances = (\d+)$/gm);
    const both = [instanceType, String(instancesMax)];
    expect([...set].map(([, ...one]) => one)).toEqual([both, both]);
    expect(textOf("src/platform/container/program-object.ts")).toContain(`sleepAfter = "${idleSeconds / 60}m"`);
  });

  it("has the figures that the script computes", () => {
    expect(textOf(PAGE), COMMAND).toBe(renderPage(textOf(PAGE)));
  });

  it("has a picture of them", () => {
    expect(textOf(CHART), COMMAND).toBe(renderChart());
  });
});
