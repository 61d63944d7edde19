// The tool that draws: rows as a picture that an agent can see, and as an app that people can look at.

import { z } from "@hono/zod-openapi";
import { checkFieldsOf } from "../../../../kernel/docs/check-fields.ts";
import { isChart } from "../../../../kernel/docs/draw/charts/chart-context.ts";
import { kpisOf } from "../../../../kernel/docs/draw/kpi.ts";
import type { Cell, ResultTable } from "../../../../kernel/docs/draw/result-table.ts";
import { Viz, VIZ_TYPES } from "../../../../kernel/docs/viz.ts";
import { invalidAt, Problem } from "../../../core/problem.ts";
import { flawsOf } from "../../../http/render-problem.ts";
import { readBounded } from "../../../platform/internet/read-bounded.ts";
import { drawChart } from "../../deliveries/render/charts/draw-chart.ts";
import { restOf, showTable } from "../../deliveries/render/mail/shown-table.ts";
import { toPng } from "../../deliveries/render/pictures/to-png.ts";
import { readResult } from "../../deliveries/render/result/read-result.ts";
import { UnreadableResult } from "../../deliveries/render/result/unreadable.ts";
import { MEDIA_TYPES } from "../../query/format.ts";
import { DrawnData } from "../answer.ts";
import type { Drawing } from "../app/drawing.ts";
import { MCP_LIMITS } from "../limits.ts";
import type { OperationCalls } from "../operation-calls.ts";
import { keepRows } from "../rows.ts";
import { tool } from "../tool.ts";
import { STATEMENT } from "./statements.ts";

const SIZE = { width: 640, height: 360 };

const Input = z.strictObject({
  viz: z.record(z.string(), z.unknown()),
  sql: STATEMENT.sql.optional(),
  parameters: STATEMENT.parameters,
  query: z.record(z.string(), z.unknown()).optional(),
  integration_id: z.string().optional(),
  doc_id: z.string().optional(),
  dataset: z.string().optional(),
});
type Input = z.infer<typeof Input>;

export const visualize = tool({
  name: "visualize",
  group: "query",
  title: "Draw a chart",
  description:
    `Draws the rows of sql, of a model's query, or of a doc's dataset. viz: {"type":"bar","x":{"field":"month"},"y":[{"field":` +
    `"total","format":"currency"}],"color":{"field":"region"}}; types: ${VIZ_TYPES.join(", ")}.`,
  input: Input,
  operations: ["runQuery", "queryDataset"],
  reads: true,
  isDrawn: true,
  async run(calls, input) {
    const viz = readViz(input.viz);
    const table = readTable(await askRows(calls.readingOnly, input));
    const names = table.columns.map(({ name }) => name);
    const flaws = checkFieldsOf(viz, { names }, { at: "/viz", of: "The result" });
    if (flaws.length > 0) throw new Problem("validation_failed", "The viz names columns that are not there.", flaws);
    return draw(viz, table);
  },
});

function readViz(sent: unknown): Viz {
  const { data, error } = Viz.safeParse(sent);
  if (data) return data;
  const flaws = flawsOf(error).map((flaw) => ({ ...flaw, pointer: `/viz${flaw.pointer}` }));
  throw new Problem("validation_failed", "The viz is not valid.", flaws);
}

/** The rows as an Arrow stream. */
async function askRows(calls: OperationCalls, input: Input): Promise<Uint8Array> {
  const answer = await answerOf(calls, input, { headers: { accept: MEDIA_TYPES.arrow } });
  const bytes = await readBounded(answer, MCP_LIMITS.drawnBytesMax);
  if (!bytes) throw tooLarge(`they have more than ${MCP_LIMITS.drawnBytesMax / 1024 ** 2} MiB`);
  return bytes.bytes();
}

function answerOf(
  calls: OperationCalls,
  { sql, parameters, query: cube_query, integration_id, doc_id, dataset: dataset_key }: Input,
  sent: { headers: Record<string, string> },
): Promise<Response> {
  if ([sql, cube_query, dataset_key].filter((one) => one !== undefined).length !== 1)
    throw invalidAt("", "Send one of sql, query, and dataset with its doc_id.");
  if (dataset_key === undefined) {
    const body = { sql, parameters, cube_query, integration_id, timeout_ms: MCP_LIMITS.statementMsMax };
    return calls.call<Response>("runQuery", { query: { numbers: "exact" }, body }, sent);
  }
  if (doc_id === undefined) throw invalidAt("/doc_id", "Send the doc whose dataset it is.");
  const params = { doc_id, dataset_key };
  return calls.call<Response>("queryDataset", { params, query: { numbers: "exact" }, body: {} }, sent);
}

const tooLarge = (what: string): Problem =>
  new Problem("validation_failed", `The rows can't be drawn: ${what}. Aggregate them first.`);

function readTable(bytes: Uint8Array): ResultTable {
  try {
    return readResult(bytes);
  } catch (error) {
    if (!(error instanceof UnreadableResult)) throw error;
    // A stream that ends early is that of a statement which failed after its first rows.
    if (error.reason === "damaged") throw new Problem("query_failed", "The statement failed after its first rows.");
    throw tooLarge(error.message);
  }
}

async function draw(viz: Viz, table: ResultTable): Promise<DrawnData> {
  if (viz.type === "kpi") {
    const kpis = kpisOf(viz, table);
    return new DrawnData({ drawn: viz.type, kpis }, { png: undefined, drawing: { kind: "kpi", kpis } });
  }
  if (!isChart(viz)) {
    const shown = showTable(table, viz);
    const [rest, labels] = [restOf(shown), shown.columns.map(({ label }) => label)];
    const { rows, columns } = shown;
    const data = { drawn: viz.type, columns: labels, rows, row_count: table.rowCount, ...(rest && { left_out: rest }) };
    return new DrawnData(data, { png: undefined, drawing: { kind: "table", columns, rows, rest } });
  }
  const [light, dark] = [
    await drawChart(viz, table, { ...SIZE, theme: "light" }),
    await drawChart(viz, table, { ...SIZE, theme: "dark" }),
  ];
  const { notes } = light;
  const drawing: Drawing = { kind: "chart", light: light.svg, dark: dark.svg, notes };
  const isSmall = light.svg.length + dark.svg.length <= MCP_LIMITS.drawingCharactersMax;
  return new DrawnData(
    { drawn: viz.type, ...(notes.length > 0 && { left_out: notes.join(" ") }), ...firstRows(table) },
    { png: await toPng(light.svg), drawing: isSmall ? drawing : undefined },
  );
}

function firstRows(table: ResultTable) {
  const { columns, rowCount } = table;
  const length = Math.min(rowCount, MCP_LIMITS.drawnRowsMax);
  const rows = Array.from({ length }, (_, row) => columns.map((_column, at) => toJson(table.cell(row, at))));
  return keepRows(
    columns.map(({ name }) => name),
    rows,
    { rowCount, truncated: false },
  );
}

const toJson = (cell: Cell): Exclude<Cell, bigint> => (typeof cell === "bigint" ? cell.toString() : cell);
