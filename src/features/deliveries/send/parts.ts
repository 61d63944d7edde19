// A message shows parts, in order, which take some of the results.

import { isByIndex, vizOf, type ChartOptions } from "../../../../kernel/docs/chart-options.ts";
import { tilesOf, type Tile } from "../../../../kernel/docs/dashboard.ts";
import type { Viz } from "../../../../kernel/docs/viz.ts";
import type { Needs } from "../../../clients/context.ts";
import { Problem } from "../../../core/problem.ts";
import { readRunDashboard } from "../../docs/runs/plan/read-run-definition.ts";
import type { DeliveryRow } from "../delivery.ts";
import type { ResultTable } from "../../../../kernel/docs/draw/result-table.ts";
import type { ReadResults } from "./results.ts";

export type PlannedResult = { kind: "result"; title: string; name: string; viz: Viz | ChartOptions | undefined };
export type PlannedPart = PlannedResult | { kind: "markdown"; title: string; content: string };

/** The results that the parts show, each once. */
export const namesIn = (parts: readonly PlannedPart[]): string[] => [
  ...new Set(parts.flatMap((part) => (part.kind === "result" ? [part.name] : []))),
];

export async function planParts(
  ctx: Needs<"db" | "scope">,
  { source }: DeliveryRow,
  { stored, docRunId }: ReadResults,
): Promise<PlannedPart[]> {
  const each = stored.map(({ name, viz }) => ({ kind: "result" as const, title: name, name, viz }));
  if (source.kind === "query") return each.map((part) => ({ ...part, title: "" }));
  if (source.dataset_keys || docRunId === null) return each;
  const tiles = await readTiles(ctx, docRunId);
  return tiles.length === 0 ? each : tiles.flatMap(partsOf);
}

/** The tiles of the version that has run: the newest may draw what that one did not make. */
async function readTiles(ctx: Needs<"db" | "scope">, docRunId: string): Promise<Tile[]> {
  const { tiles } = tilesOf((await readRunDashboard(ctx, docRunId)) ?? {});
  return [...tiles].sort((one, other) => one.y - other.y || one.x - other.x);
}

function partsOf(tile: Tile): PlannedPart[] {
  const title = tile.title ?? "";
  switch (tile.type) {
    case "markdown":
      return [{ kind: "markdown", title, content: tile.content }];
    case "html":
      return [{ kind: "markdown", title, content: "_This tile is a page of its own, which a message does not show._" }];
    case "kpi":
    case "chart":
    case "table":
      return [{ kind: "result", title, name: tile.source, viz: tile.viz }];
  }
}

/** A viz by the names of columns. Throws the Problem of one that names places which the result does not have. */
export function namedViz(viz: Viz | ChartOptions | undefined, table: ResultTable, name: string): Viz | undefined {
  if (viz === undefined || !isByIndex(viz)) return viz;
  const columns = table.columns.map((column) => column.name);
  const named = vizOf(viz, columns);
  if (named) return named;
  throw new Problem("validation_failed", `A chart of ${name} names columns that it does not have.`);
}
