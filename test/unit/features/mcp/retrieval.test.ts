// Questions in other words than the catalog's, and whether an agent's search finds what answers them.

import type { Client } from "@modelcontextprotocol/client";
import { beforeAll, describe, expect, it } from "vitest";
import { readParaphrases } from "../../../support/agents/corpus/corpus.ts";
import paraphrases from "../../../support/agents/corpus/paraphrases.txt?raw";
import heldOut from "../../../support/agents/corpus/paraphrases-held-out.txt?raw";
import { addCatalogs, TABLES } from "../../../support/unit/mcp/catalogs.ts";
import { ask, connect } from "../../../support/unit/mcp/client.ts";
import { newTeam } from "../../../support/unit/team.ts";

const FIRST = 5;
const SHARE_MIN = 0.9;

let agent: Client;
beforeAll(async () => {
  const team = await newTeam();
  await addCatalogs(team);
  agent = await connect(team.member.key);
});

/** The questions for which none of the right answers is among the first. */
async function missedOf(text: string): Promise<{ asked: number; missed: string[] }> {
  const asked = readParaphrases(text);
  const missed: string[] = [];
  for (const { question, answers } of asked) {
    const hits: { name: string }[] = await ask(agent, "search_catalog", { text: question, limit: FIRST });
    if (!hits.some(({ name }) => answers.includes(name))) missed.push(question);
  }
  return { asked: asked.length, missed };
}

const figureOf = ({ asked, missed }: { asked: number; missed: string[] }): string =>
  `${asked - missed.length} of ${asked} among the first ${FIRST}`;

describe("search_catalog", () => {
  it("is asked in a catalog in which the first five are few", () => {
    expect(TABLES.length).toBeGreaterThanOrEqual(90);
  });

  it(`has what answers a paraphrase among the first ${FIRST}, in ${SHARE_MIN * 100} % of them`, async () => {
    const found = await missedOf(paraphrases);
    console.log(`Paraphrases: ${figureOf(found)}.`);
    expect(found.missed.length, found.missed.join("\n")).toBeLessThanOrEqual(found.asked * (1 - SHARE_MIN));
  });

  it("is asked what was held out, of which the figure is printed", async () => {
    const found = await missedOf(heldOut);
    console.log(`Held out: ${figureOf(found)}.`);
    expect(found.asked).toBe(50);
  });
});
