// Questions that agents are asked, and mistakes that they make, through the launcher by the protocol's own client.

import type { CallToolResult, Client } from "@modelcontextprotocol/client";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { beforeAll, describe, expect, it } from "vitest";
import { QUESTIONS, referenceSql } from "../../support/agents/acme/acme.ts";
import { ANSWERS, PUBLISHED_SCOPE } from "../../support/agents/acme/answers.ts";
import { hasSameRows } from "../../support/agents/acme/same-rows.ts";
import { readMistakes } from "../../support/agents/corpus/corpus.ts";
import { TASKS } from "../../support/agents/tasks.ts";
import { ask, failureOf, textOf } from "../../support/agents/tool-answers.ts";
import { connectAgent, loadAcme, readSupport, type Acme } from "./agent.ts";

let acme: Acme;
let agent: Client;
let measures: string[];
beforeAll(async () => {
  acme = await loadAcme();
  agent = await connectAgent(acme.key);
  const meta = await ask(agent, "semantic_meta", { integration_id: acme.modelId });
  measures = meta.flatMap((cube: { measures: { name: string }[] }) => cube.measures.map(({ name }) => name));
});

type Rows = { columns: string[]; rows: unknown[][] };

async function rowsBySql(number: number): Promise<Rows> {
  return ask(agent, "run_sql", { sql: referenceSql(QUESTIONS.find((one) => one.number === number)!) });
}

/** The rows of a semantic query, their cells in the order of `columns`. */
async function rowsByModel(columns: readonly string[], filters: readonly object[] = []): Promise<unknown[][]> {
  const [asked, grouped] = [true, false].map((isMeasure) =>
    columns.filter((name) => measures.includes(name) === isMeasure),
  );
  const query = { measures: asked, dimensions: grouped, filters };
  const answer: Rows = await ask(agent, "semantic_query", { integration_id: acme.modelId, query });
  return answer.rows.map((row) => columns.map((name) => row[answer.columns.indexOf(name)]));
}

describe("each question of ACME's", () => {
  it.each(QUESTIONS.map(({ number }) => number))(
    "%i is answered as by its reference statement, or refused with the nearest member",
    async (number) => {
      const reference = await rowsBySql(number);
      expect(reference.rows.length).toBeGreaterThan(0);
      const answer = ANSWERS[number]!;
      if ("query" in answer) {
        const failure = await failureOf(agent, "semantic_query", { integration_id: acme.modelId, query: answer.query });
        expect(failure).toContain("validation_failed");
        expect(failure).toContain(answer.nearest);
        return;
      }
      const rows = await rowsByModel(answer.columns, answer.filters);
      expect(hasSameRows(rows, reference.rows), JSON.stringify({ rows, reference })).toBe(true);
    },
  );

  it("is either in scope or not, and all that are published as in scope are answered", () => {
    const numbers = QUESTIONS.map(({ number }) => number);
    expect(Object.keys(ANSWERS).map(Number)).toEqual(numbers);
    const answered = numbers.filter((number) => "columns" in ANSWERS[number]!);
    expect(PUBLISHED_SCOPE.filter((number) => !answered.includes(number))).toEqual([]);
    console.log(`Of ${numbers.length} questions the model answers ${answered.length}, and refuses the others.`);
  });
});

describe("a mistake", () => {
  async function unrepaired(file: string): Promise<string[]> {
    const mistakes = readMistakes(await readSupport(`corpus/${file}`), { MODEL: acme.modelId, LAKE: acme.lakeId });
    const left: string[] = [];
    for (const { mistake, tool, input, holds } of mistakes) {
      const result = (await agent.callTool({ name: tool, arguments: input })) as CallToolResult;
      const text = textOf(result);
      if (!result.isError || !holds.every((part) => text.includes(part))) left.push(`${mistake}: ${text}`);
    }
    console.log(
      `${file}: ${mistakes.length - left.length} of ${mistakes.length} mistakes are repaired by their answers.`,
    );
    return left;
  }

  it("is answered with the text that repairs it", async () => {
    expect(await unrepaired("mistakes.jsonl")).toEqual([]);
  });

  it("is repaired as far as the printed figure says, where it was held out", async () => {
    const left = await unrepaired("mistakes-held-out.jsonl");
    console.log(left.map((one) => `Not repaired: ${one}`).join("\n"));
    expect(left.length).toBeLessThan(20);
  });
});

describe("ten tasks", () => {
  const CALLS_MAX = 4;
  const TASK_TOKENS_MAX = 5_000;

  it(`take at most ${CALLS_MAX} calls and ${TASK_TOKENS_MAX} tokens each, of which each call is printed in bytes`, async () => {
    for (const { task, calls } of TASKS) {
      const results: CallToolResult[] = [];
      for (const [name, input] of calls) {
        const ids = JSON.stringify(input).replace("$MODEL", acme.modelId).replace("$LAKE", acme.lakeId);
        results.push((await agent.callTool({ name, arguments: JSON.parse(ids) })) as CallToolResult);
      }
      expect(results.at(-1)!.isError ?? false, `${task}: ${textOf(results.at(-1)!)}`).toBe(false);
      const texts = results.map(textOf);
      const bytes = calls.map(([name], i) => `${name} ${Buffer.byteLength(texts[i]!)}`);
      const tokens = encode(texts.join("\n")).length;
      console.log(`${task}: ${calls.length} calls, ${tokens} tokens; bytes: ${bytes.join(", ")}.`);
      expect(calls.length).toBeLessThanOrEqual(CALLS_MAX);
      expect(tokens, task).toBeLessThanOrEqual(TASK_TOKENS_MAX);
    }
  });

  it("are offered in a list whose tokens are counted", async () => {
    const { tools } = await agent.listTools();
    const tokens = encode(JSON.stringify(tools)).length;
    console.log(`The list of ${tools.length} tools: ${tokens} tokens (o200k).`);
    expect(tokens).toBeLessThanOrEqual(2_600);
  });
});
