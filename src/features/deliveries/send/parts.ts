// What a message shows, in its order, and the results that this takes.

import { z } from "zod";
import { isByIndex, vizOf, type ChartOptions } from "../../../../kernel/docs/chart-options.ts";
import { dashboardMembers, tilesOf, type Tile } from "../../../../kernel/docs/dashboard.ts";
import type { Viz } from "../../../../kernel/docs/viz.ts";
import type { Needs } from "../../../clients/context.ts";
import { Problem } from "../../../core/problem.ts";
import { readSource, requireLiveDoc } from "../../docs/find.ts";
import type { DeliveryRow } from "../delivery.ts";
import { DELIVERY_LIMITS } from "../limits.ts";
import { readResult, type ResultTable } from "../render/result/read-result.ts";
import { UnreadableResult } from "../render/result/unreadable.ts";
import type { StoredResult } from "./results.ts";

export type PlannedPart =
  | { kind: "result"; title: string; name: string; viz: Viz | ChartOptions | undefined }
  | { kind: "markdown"; title: string; content: string };

export type Tables = ReadonlyMap<string, ResultTable>;

/** The result that a part shows. */
export const namesIn = (part: PlannedPart): string[] => (part.kind === "result" ? [part.name] : []);

export async function planParts(
  ctx: Needs<"db" | "scope">,
  { source }: DeliveryRow,
  results: readonly StoredResult[],
): Promise<PlannedPart[]> {
  const each = results.map(({ name, viz }) => ({ kind: "result" as const, title: name, name, viz }));
  if (source.kind === "query") return each.map((part) => ({ ...part, title: "" }));
  if (source.dataset_keys) return each;
  const tiles = await readTiles(ctx, source.doc_id);
  return tiles.length === 0 ? each : tiles.flatMap(partsOf);
}

async function readTiles(ctx: Needs<"db" | "scope">, docId: string): Promise<Tile[]> {
  const { definition } = await readSource(ctx, await requireLiveDoc(ctx, docId));
  const drawn = z.object(dashboardMembers).safeParse(definition);
  const { tiles } = drawn.success ? tilesOf(drawn.data) : { tiles: [] };
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

/** Reads the results of these names, each once. Throws the Problem of one that is missing, too large or no table. */
export async function openTables(results: readonly StoredResult[], names: readonly string[]): Promise<Tables> {
  const { deliveryResultBytesMax: bytesMax, deliveryResultsBytesMax: allMax, deliveryResultsMax } = DELIVERY_LIMITS;
  const wanted = [...new Set(names)];
  if (wanted.length > deliveryResultsMax) throw unsendable(`It has more than ${deliveryResultsMax} results.`);
  const tables = new Map<string, ResultTable>();
  let bytes = 0;
  for (const name of wanted) {
    const result = results.find((one) => one.name === name);
    if (!result) throw unsendable(`The dataset ${name} has no result.`);
    bytes += result.bytes;
    if (result.bytes > bytesMax || bytes > allMax)
      throw unsendable(
        `A delivery reads ${bytesMax / 1024 ** 2} MiB of one result and ${allMax / 1024 ** 2} MiB in all, as Arrow; ` +
          `with ${name} it is ${bytes} bytes. Aggregate, or limit the rows.`,
      );
    tables.set(name, readTable(name, await result.read()));
  }
  return tables;
}

const unsendable = (message: string): Problem => new Problem("validation_failed", message);

function readTable(name: string, bytes: Uint8Array): ResultTable {
  try {
    return readResult(bytes);
  } catch (error) {
    if (error instanceof UnreadableResult) throw unsendable(`The result ${name} can't be read. ${error.message}`);
    throw error;
  }
}
