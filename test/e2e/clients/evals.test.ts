// Evals against the running platform: a command plays the language model, with right answers and with wrong ones.

import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { call, newTeam } from "../client.ts";
import { makeCommandLine, type CommandLine, type Outcome } from "./command-line.ts";

type Integration = { id: string; type: string };
type Judged = { question: string; outcome: string; reason: string | null }[];

const MODEL = `cubes:
  - name: orders
    sql_table: shop.orders
    measures:
      - {name: count, type: count}
    dimensions:
      - {name: country, sql: country, type: string}
`;
const EVALS = `question: How many orders are there?
expect:
  members: [orders.count]
  rows: [[3]]
---
question: How many orders has each country?
model: Shop
expect:
  members: [orders.count, orders.country]
  rows:
    - {orders.country: DE, orders.count: 1}
    - {orders.country: "NO", orders.count: 2}
---
question: Which country has one order?
expect: {rows: [[DE]]}
`;
/** Plays a model: answers by a file beside it, and keeps what it was handed. */
const PLAYER = `
import { readFileSync, writeFileSync } from "node:fs";
const answers = JSON.parse(readFileSync("player.json", "utf8"));
const { FJORD_QUESTION: question, FJORD_MCP_URL: url, FJORD_KEY: key, FJORD_MODEL: model } = process.env;
const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "get_context", arguments: { question } } };
const headers = { authorization: "Bearer " + key, "content-type": "application/json", accept: "application/json, text/event-stream" };
const context = await (await fetch(url, { method: "POST", headers, body: JSON.stringify(message) })).text();
const input = JSON.parse(readFileSync(0, "utf8"));
writeFileSync("handed.json", JSON.stringify({ question, model, input, context }));
process.stdout.write(JSON.stringify(answers[question]));
`;
const RIGHT = {
  "How many orders are there?": { query: { measures: ["orders.count"] } },
  "How many orders has each country?": {
    query: { dimensions: ["orders.country"], measures: ["orders.count"], order: { "orders.count": "desc" } },
  },
  "Which country has one order?": { sql: "SELECT country FROM LAKE.shop.orders GROUP BY country HAVING count(*) = 1;" },
};

let cli: CommandLine;
let key: string;
let lake: string;
beforeAll(async () => {
  cli = await makeCommandLine();
  ({ key } = await newTeam("Evals"));
  const path = "/v1/api/integrations";
  lake = (await call<{ data: Integration[] }>("GET", `${path}?type=lake`, { key })).body.data[0]!.id;
  const cube = { type: "cube", name: "Shop", credentials: { integration_id: lake } };
  expect((await call("POST", path, { key, body: cube })).status).toBe(201);
  await mustRun(["query", "CREATE SCHEMA LAKE.shop"]);
  await mustRun([
    "query",
    "CREATE TABLE LAKE.shop.orders AS SELECT * FROM (VALUES (1, 'NO'), (2, 'DE'), (3, 'NO')) t(id, country)",
  ]);
  await write("models/shop/orders.yml", MODEL);
  await mustRun(["models", "push", "models", "--yes"]);
  await write("evals/orders.yml", EVALS);
  await write("player.mjs", PLAYER);
});
afterAll(() => cli.remove());

async function write(path: string, text: string | object): Promise<void> {
  const file = join(cli.folder, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, typeof text === "string" ? text : JSON.stringify(text));
}

const runAs = (args: string[], env: Record<string, string> = {}): Promise<Outcome> =>
  cli.run(args, { env: { FJORD_URL: inject("platform").baseUrl, FJORD_KEY: key, ...env } });

async function mustRun(args: string[]): Promise<Outcome> {
  const outcome = await runAs(args);
  expect(outcome, outcome.stderr).toMatchObject({ code: 0 });
  return outcome;
}

const ask = (...args: string[]) => runAs(["evals", "run", "--json", ...args]);
const play = (command = `"${process.execPath}" player.mjs`, ...more: string[]) => ask("--command", command, ...more);
/** One that has ended and that nobody has asked for is a zombie. */
const isRunning = (processId: string): Promise<boolean> =>
  readFile(`/proc/${processId}/stat`, "utf8").then(
    (stat) => !/\) Z /.test(stat),
    () => false,
  );
const outcomesOf = ({ stdout }: Outcome) => (JSON.parse(stdout) as Judged).map(({ outcome }) => outcome);

describe("fjord evals check", () => {
  it("names each flaw with its line, and needs no platform for the form", async () => {
    const flawed = `question: ""
expect: {members: [count], rows: [[1], [1, 2]], columns: []}
---
question: What?
---
- a list
---
question: [
`;
    await write("flawed/a.yml", flawed);
    await write("flawed/b.yml", EVALS);
    await write("flawed/c.yml", EVALS.split("---")[0]!);
    const { code, stdout } = await runAs(["evals", "check", "flawed", "--offline", "--json"], {
      FJORD_URL: "http://127.0.0.1:1",
    });
    const flaws = (JSON.parse(stdout) as { place: string; message: string }[]).map(
      ({ place, message }) => `${place} ${message}`,
    );
    expect(code).toBe(1);
    for (const [place, words] of [
      ["flawed/a.yml:1", "question has to be a text"],
      ["flawed/a.yml:2", "columns is not known here"],
      ["flawed/a.yml:2", "named cube.member"],
      ["flawed/a.yml:2", "other columns than the first row"],
      ["flawed/a.yml:4", "expect has to be a map"],
      ["flawed/a.yml:6", "An eval is a map"],
      ["flawed/c.yml:1", "The question is that of flawed/b.yml:1"],
    ])
      expect(flaws).toContainEqual(expect.stringMatching(`^${place}.*${words}`));
  });

  it("names the member that is nearest to one that the model does not have", async () => {
    await mustRun(["evals", "check"]);
    await write("renamed/a.yml", EVALS.replace("[orders.count]", "[orders.counts]"));
    const { code, stdout } = await runAs(["evals", "check", "renamed"]);
    expect([code, stdout]).toEqual([
      1,
      expect.stringContaining("The model has no member orders.counts. The nearest is orders.count."),
    ]);
    await write("elsewhere/a.yml", EVALS.replace("model: Shop", "model: Store"));
    expect(await runAs(["evals", "check", "elsewhere"])).toMatchObject({
      code: 1,
      stdout: expect.stringContaining("No model is named Store. There are: Shop."),
    });
  });
});

describe("fjord evals run", () => {
  it("finds the right answers of a command right, which is handed the question and the way to the platform", async () => {
    await write("player.json", RIGHT);
    const run = await play();
    expect([run.code, outcomesOf(run)], run.stderr + run.stdout).toEqual([0, ["right", "right", "right"]]);
    const handed = JSON.parse(await readFile(join(cli.folder, "handed.json"), "utf8"));
    expect(handed).toMatchObject({
      question: "Which country has one order?",
      input: { question: "Which country has one order?", mcp_url: `${inject("platform").baseUrl}/mcp` },
    });
    expect(handed.model).toBe(handed.input.model);
    expect(handed.context).toContain("verified_queries");
    const table = await runAs(["evals", "run", "--command", `"${process.execPath}" player.mjs`]);
    expect(table).toMatchObject({ code: 0, stderr: "3 of 3 right.\n" });
    expect(table.stdout).toContain("right    How many orders are there?");
  });

  it("says of wrong answers what is wrong with members and rows", async () => {
    const [all, each, one] = Object.keys(RIGHT) as (keyof typeof RIGHT)[];
    await write("wrong.json", {
      [all!]: { sql: "SELECT 3" },
      [each!]: {
        query: {
          measures: ["orders.count"],
          dimensions: ["orders.country"],
          filters: [{ member: "orders.country", operator: "equals", values: ["DE"] }],
        },
      },
      [one!]: { sql: "SELECT country, 1 FROM LAKE.shop.orders WHERE country = 'DE'" },
    });
    const run = await ask("--answers", "wrong.json");
    expect(run.code).toBe(1);
    expect((JSON.parse(run.stdout) as Judged).map(({ outcome, reason }) => `${outcome}: ${reason}`)).toEqual([
      "wrong: It answered with SQL; members of the model were expected.",
      expect.stringMatching(/^wrong: Of 2 rows 1 lacking, as \["NO","2"\]/),
      expect.stringMatching(/^wrong: Of 1 rows 1 lacking, as \["DE"\]; 1 too many/),
    ]);
  });

  it("writes nothing, whatever the key may and the model answers", async () => {
    await write("writes.json", { ...RIGHT, "Which country has one order?": { sql: "DELETE FROM LAKE.shop.orders" } });
    const run = await ask("--answers", "writes.json");
    expect([run.code, outcomesOf(run)]).toEqual([1, ["right", "right", "error"]]);
    await write("evals/orders.yml", EVALS);
    expect(outcomesOf(await ask("--answers", "writes.json"))[0]).toBe("right");
  });

  it.each<[what: string, command: string, reason: string]>([
    ["fails", "echo no model here >&2; exit 7", "The command ended with 7. no model here"],
    ["prints no JSON", "echo I think 3", "The command printed no JSON: I think 3"],
    ["answers neither form", "echo {}", "An answer has either query or sql."],
    ["prints without an end", "yes", "The command printed more than"],
    ["is refused", `echo '{"query": {"measures": ["orders.counts"]}}'`, "orders.count"],
  ])("tells of a command that %s, and goes on", async (_, command, reason) => {
    const run = await play(command);
    const judged = JSON.parse(run.stdout) as Judged;
    expect(run.code).toBe(1);
    expect(judged.map(({ outcome }) => outcome)).not.toContain("right");
    expect(judged).toHaveLength(3);
    expect(judged[1]!.reason).toContain(reason);
  });

  it("ends a command whose time is over, with what it has started", async () => {
    const run = await play("sleep 600 & echo $! >> children; wait", "--timeout", "0.3");
    expect([run.code, outcomesOf(run)]).toEqual([1, ["error", "error", "error"]]);
    const children = (await readFile(join(cli.folder, "children"), "utf8")).trim().split("\n");
    expect(children).toHaveLength(3);
    for (const id of children) await expect.poll(() => isRunning(id)).toBe(false);
    expect(run.stdout).toContain("within 0.3 s");
  });

  it("wants evals without a flaw, and somebody who answers", async () => {
    expect(await ask()).toMatchObject({ code: 2 });
    await write("flawed/only.yml", "question: x\n");
    expect(await ask("flawed/only.yml", "--answers", "player.json")).toMatchObject({ code: 2, stdout: "" });
    expect(await ask("nowhere", "--answers", "player.json")).toMatchObject({ code: 2, stdout: "" });
  });
});
