// The protocol's own conformance suite and inspector, as they are, against the whole product.

import { beforeAll, afterAll, describe, expect, inject, it } from "vitest";
import { call as api } from "../client.ts";
import { checkConformance, inspect, mcpTools, startKeyHolder } from "../../support/node/tools/mcp-tools.ts";

const { baseUrl, key } = inject("platform");
const INTEGRATIONS = "/v1/api/integrations";

let tools: string;
let held: Awaited<ReturnType<typeof startKeyHolder>>;
beforeAll(async () => {
  [tools, held] = [await mcpTools(), await startKeyHolder(baseUrl, key)];
});
afterAll(() => held?.stop());

const FIXTURE = "It calls a tool, a prompt or a resource that the suite's own server has.";
const NO_PROMPTS = "There are no prompts.";
const NO_TASKS = "The extension of tasks is not offered: a tool answers within its minute.";
const NO_STREAM = "Nobody is told of changes, and no stream stays open.";
const NO_QUESTIONS = "No tool asks its client for anything.";

/** The scenarios in which a check fails, each with the reason. All others pass. */
const EXPECTED: Record<string, string> = {
  "server-stateless": `${NO_STREAM} ${FIXTURE}`,
  "completion-complete": "Nothing is completed.",
  "logging-set-level": "Nothing is logged to clients.",
  caching: NO_PROMPTS,
  ...Object.fromEntries(
    ["simple-text", "image", "audio", "embedded-resource", "mixed-content", "error", "with-progress", "with-logging"]
      .concat(["sampling", "elicitation"])
      .map((name) => [`tools-call-${name}`, FIXTURE]),
  ),
  ...Object.fromEntries(["sep1034-defaults", "sep1330-enums"].map((name) => [`elicitation-${name}`, FIXTURE])),
  ...Object.fromEntries(["read-text", "read-binary", "templates-read"].map((name) => [`resources-${name}`, FIXTURE])),
  ...Object.fromEntries(["subscribe", "unsubscribe"].map((name) => [`resources-${name}`, NO_STREAM])),
  ...Object.fromEntries(
    ["list", "get-simple", "get-with-args", "get-embedded-resource", "get-with-image"].map((name) => [
      `prompts-${name}`,
      NO_PROMPTS,
    ]),
  ),
  ...Object.fromEntries(
    ["basic-elicitation", "basic-sampling", "basic-list-roots", "request-state", "multiple-input-requests"]
      .concat(["multi-round", "non-tool-request", "result-type", "tampered-state", "capability-check"])
      .map((name) => [`input-required-result-${name}`, NO_QUESTIONS]),
  ),
  ...Object.fromEntries(
    ["lifecycle", "capability-negotiation", "wire-fields", "request-state-removal", "mrtr-input", "request-headers"]
      .concat(["dispatch-and-envelope", "required-task-error", "mrtr-composition"])
      .map((name) => [`tasks-${name}`, NO_TASKS]),
  ),
  "json-schema-2020-12": FIXTURE,
  "http-custom-header-server-validation": "No tool takes a part of its input by a header.",
};

describe("the conformance suite", () => {
  it.each([
    ["2026-07-28", ["--requirements", "2026-07-28"], 100],
    ["2025-11-25", ["--spec-version", "2025-11-25"], 30],
  ] as const)("of %s passes, but where it asks for what is not offered", async (_version, args, passedMin) => {
    const checks = await checkConformance(tools, `${held.url}/mcp`, args);
    const failed = checks.filter(({ status }) => status === "FAILURE");
    const unexpected = failed.filter(({ scenario }) => !Object.hasOwn(EXPECTED, scenario));
    expect(unexpected).toEqual([]);
    const passed = checks.filter(({ status }) => status === "SUCCESS");
    console.log(`${passed.length} checks pass, ${failed.length} ask for what is not offered.`);
    expect(passed.length).toBeGreaterThanOrEqual(passedMin);
    const ran = new Set(checks.map(({ scenario }) => scenario));
    const stillFails = new Set(failed.map(({ scenario }) => scenario));
    expect(Object.keys(EXPECTED).filter((name) => ran.has(name) && !stillFails.has(name))).toEqual([]);
  });
});

describe("the inspector", () => {
  let lake: string;
  let model: string;
  beforeAll(async () => {
    const listed = await api<{ data: { id: string; is_default: boolean }[] }>("GET", INTEGRATIONS);
    lake = listed.body.data.find(({ is_default }) => is_default)!.id;
    const body = { type: "cube", name: "Inspected", credentials: { integration_id: lake } };
    model = (await api<{ integration: { id: string } }>("POST", INTEGRATIONS, { body })).body.integration.id;
    const draft = { body: { schemas: ["sample"], save: true } };
    expect((await api("POST", `${INTEGRATIONS}/${model}/model/draft`, draft)).status).toBe(200);
  });
  afterAll(async () => void (await api("DELETE", `${INTEGRATIONS}/${model}`)));

  const asked = JSON.stringify({ measures: ["orders.count"] });
  const text =
    "version: 1\nkind: pipeline\nmetadata: {name: Inspected}\ndatasets:\n  one: {engine: sql, sql: SELECT 1 AS one}\n";
  const viz = JSON.stringify({ type: "bar", x: { field: "a" }, y: [{ field: "b" }] });

  const call = async (name: string, input: Record<string, string> = {}): Promise<string> => {
    const pairs = Object.entries(input).flatMap(([argument, value]) => ["--tool-arg", `${argument}=${value}`]);
    const args = ["--method", "tools/call", "--tool-name", name, ...pairs];
    const { content, isError } = (await inspect(tools, `${baseUrl}/mcp`, key, args)) as {
      content: { type: string; text?: string }[];
      isError?: boolean;
    };
    const said = content.map((part) => part.text ?? "").join("\n");
    expect(isError, said).toBeFalsy();
    return said;
  };
  const idIn = (said: string, member: string): string => new RegExp(`"${member}":"([^"]+)"`).exec(said)![1]!;

  it("lists and calls every tool", async () => {
    const listed = (await inspect(tools, `${baseUrl}/mcp`, key, ["--method", "tools/list"])) as {
      tools: { name: string }[];
    };
    const context = await call("get_context");
    const doc = idIn(await call("save_doc", { text }), "id");
    const run = idIn(await call("run", { kind: "doc", id: doc }), "id");
    const called: Record<string, string> = {
      get_context: context,
      save_doc: doc,
      run,
      search_catalog: await call("search_catalog", { text: "orders" }),
      describe_table: await call("describe_table", { integration_id: lake, schema: "sample", table: "orders" }),
      semantic_meta: await call("semantic_meta", { integration_id: model }),
      semantic_query: await call("semantic_query", { query: asked, integration_id: model }),
      run_sql: await call("run_sql", { sql: "SELECT 42 AS answer" }),
      write_sql: await call("write_sql", { sql: "CREATE SCHEMA LAKE.inspected" }),
      visualize: await call("visualize", { sql: "SELECT 'x' AS a, 1 AS b", viz }),
      list_runs: await call("list_runs", { kind: "doc", id: doc }),
      get_logs: await call("get_logs", { kind: "doc", id: doc, run_id: run }),
      drive_file: await call("drive_file", { action: "list" }),
    };
    expect(Object.keys(called).sort()).toEqual(listed.tools.map(({ name }) => name).sort());
    expect(called["run_sql"]).toContain("42");
    expect(called["list_runs"]).toContain(run);
  });
});
