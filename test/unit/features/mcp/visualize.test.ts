// The tool that draws: what an agent sees, what its client's app is given, and what is refused.

import type { CallToolResult, Client } from "@modelcontextprotocol/client";
import { beforeAll, describe, expect, it } from "vitest";
import { DRAWING_APP, DRAWING_KEY } from "../../../../src/features/mcp/app/drawing.ts";
import { MCP_LIMITS } from "../../../../src/features/mcp/limits.ts";
import { addPostgres } from "../../../support/unit/databases.ts";
import { ask, connect, dataOf, failureOf } from "../../../support/unit/mcp/client.ts";
import { newTeam, type TestTeam } from "../../../support/unit/team.ts";

let team: TestTeam;
let postgres: string;
let client: Client;
beforeAll(async () => {
  team = await newTeam();
  postgres = await addPostgres(team);
  client = await connect(team.member.key);
});

const SQL = "select * from (values ('2026-01', 12.50::numeric), ('2026-02', 9007199254740993)) as t (month, total)";
const BAR = { type: "bar", x: { field: "month" }, y: [{ field: "total" }] };
const from = (viz: object, sql = SQL) => ({ viz, sql, integration_id: postgres });

const draw = async (input: Record<string, unknown>): Promise<CallToolResult> => {
  const result = (await client.callTool({ name: "visualize", arguments: input })) as CallToolResult;
  expect(result.isError, JSON.stringify(result.content)).toBeFalsy();
  return result;
};
// biome-ignore lint/suspicious/noExplicitAny: each kind of drawing has another form
const drawingOf = (result: CallToolResult): any => result._meta?.[DRAWING_KEY];

describe("a chart", () => {
  it("is a picture beside its rows, and drawn for an app in light and in dark", async () => {
    const result = await draw(from(BAR));
    expect(dataOf(result)).toEqual({
      drawn: "bar",
      columns: ["month", "total"],
      rows: [
        ["2026-01", "12.50"],
        ["2026-02", "9007199254740993"],
      ],
      row_count: 2,
    });
    const image = result.content.find((part) => part.type === "image");
    expect(image).toMatchObject({ mimeType: "image/png" });
    expect(atob(image!.data).slice(0, 8)).toBe("\x89PNG\r\n\x1a\n");
    const { kind, light, dark } = drawingOf(result);
    expect(kind).toBe("chart");
    for (const svg of [light, dark]) expect(svg).toMatch(/^<svg .*2026-01.*<\/svg>$/s);
    expect(light).not.toBe(dark);
  });

  it("says the first rows alone, and draws them all", async () => {
    const rows = "select n as month, n as total from generate_series(1, 500) as n";
    const result = await draw(from({ ...BAR, type: "line" }, rows));
    const data = dataOf(result) as { rows: unknown[]; row_count: number; cut: string };
    expect([data.rows.length, data.row_count]).toEqual([MCP_LIMITS.drawnRowsMax, 500]);
    expect(data.cut).toContain("of 500 rows");
  });

  it("never makes markup of what the data says", async () => {
    const { light } = drawingOf(await draw(from(BAR, "select '<script>alert(1)</script>' as month, 1 as total")));
    expect(light).not.toContain("<script");
    expect(light).toContain("&lt;script");
  });

  it("of no rows says that there are none", async () => {
    expect(drawingOf(await draw(from(BAR, `${SQL} where false`))).light).toContain("No rows");
  });

  it("is the picture alone in an app, where a drawing would be too large", async () => {
    const rows =
      "select 'm' || n as month, n as total, 's' || m as series from generate_series(1, 900) n, generate_series(1, 20) m";
    const result = await draw(from({ ...BAR, type: "scatter", color: { field: "series" } }, rows));
    expect(drawingOf(result)).toBeUndefined();
    expect(result.content.some(({ type }) => type === "image")).toBe(true);
  });
});

describe("a number and a table", () => {
  it("are text, for an agent and for an app", async () => {
    const kpis = [{ label: "total", value: "$12.50", comparison: undefined, note: "" }];
    const kpi = await draw(from({ type: "kpi", y: [{ field: "total", format: "currency" }] }, `${SQL} limit 1`));
    expect(dataOf(kpi)).toMatchObject({ drawn: "kpi", kpis: [{ label: "total", value: "$12.50" }] });
    expect(drawingOf(kpi)).toMatchObject({ kind: "kpi", kpis: [{ value: kpis[0]!.value }] });
    const table = await draw(from({ type: "table", sort: [{ field: "total", desc: true }] }));
    expect(dataOf(table)).toMatchObject({ columns: ["month", "total"], row_count: 2 });
    expect(drawingOf(table).rows[0][0]).toBe("2026-02");
    for (const { content } of [kpi, table]) expect(content.map(({ type }) => type)).toEqual(["text"]);
  });
});

describe("a dataset of a doc", () => {
  it("is drawn by its key", async () => {
    const text =
      `version: 1\nkind: dashboard\nmetadata: {name: Board}\ndatasets:\n  sales:\n    engine: sql\n    integrationId: ${postgres}\n` +
      `    sql: "${SQL}"\n`;
    const admin = await connect(team.admin.key);
    const { id } = await ask(admin, "save_doc", { text });
    expect(dataOf(await draw({ viz: BAR, doc_id: id, dataset: "sales" }))).toMatchObject({
      drawn: "bar",
      row_count: 2,
    });
    expect(await failureOf(client, "visualize", { viz: BAR, doc_id: id, dataset: "none" })).toContain("not_found");
    expect(await failureOf(client, "visualize", { viz: BAR, dataset: "sales" })).toContain("/doc_id");
  });
});

describe("what can't be drawn", () => {
  it("is named at its place", async () => {
    expect(await failureOf(client, "visualize", from({ type: "donut" }))).toContain("/viz/type");
    expect(await failureOf(client, "visualize", from({ ...BAR, z: 1 }))).toContain("/viz/z");
    expect(await failureOf(client, "visualize", from({ ...BAR, x: { field: "mnth" } }))).toMatch(
      /\/viz\/x\/field: The result has no column mnth. Did you mean month\?/,
    );
    expect(await failureOf(client, "visualize", { viz: BAR })).toContain("one of sql, query, and dataset");
    expect(await failureOf(client, "visualize", { ...from(BAR), query: {} })).toContain("one of sql, query");
  });

  it("is a statement that fails, whose own reason is told", async () => {
    expect(await failureOf(client, "visualize", from(BAR, "select nothing from nowhere"))).toContain("nowhere");
  });

  it("is more than a picture can hold: the agent learns to aggregate", async () => {
    const sql = "select repeat(md5(n::text), 300) as month, n as total from generate_series(1, 1000) n";
    expect(await failureOf(client, "visualize", from(BAR, sql))).toContain("Aggregate");
  });
});

describe("the app", () => {
  it("is named by the tool, and read as a page that asks no network", async () => {
    const { tools } = await client.listTools();
    const { _meta } = tools.find(({ name }) => name === "visualize")!;
    expect(_meta).toMatchObject({ ui: { resourceUri: DRAWING_APP.uri } });
    const { resources } = await client.listResources();
    expect(resources).toMatchObject([{ uri: DRAWING_APP.uri, mimeType: DRAWING_APP.mimeType }]);
    const { contents } = await client.readResource({ uri: DRAWING_APP.uri });
    const [page] = contents as { mimeType: string; text: string }[];
    expect(page!.mimeType).toBe(DRAWING_APP.mimeType);
    expect(page!.text).toContain(JSON.stringify(DRAWING_KEY));
    expect(page!.text).not.toMatch(/https?:/);
    console.log(`The app of drawings has ${page!.text.length} bytes.`);
  });

  it("is not offered where the tool is not", async () => {
    const narrowed = await connect(team.member.key, "2026-07-28", "?tools=semantic");
    expect(narrowed.getServerCapabilities()).toEqual({ tools: { listChanged: false } });
  });
});

it("draws in the versions of 2025, too", async () => {
  const older = await connect(team.member.key, "2025");
  const result = (await older.callTool({ name: "visualize", arguments: from(BAR) })) as CallToolResult;
  expect(drawingOf(result).kind).toBe("chart");
});
