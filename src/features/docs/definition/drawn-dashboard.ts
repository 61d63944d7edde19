// A drawn dashboard is what a doc draws, for readers who may know nothing else of the doc. Pure.

import { z } from "@hono/zod-openapi";
import { dashboardMembers, tilesOf, type Dashboard, type Tile } from "../../../../kernel/docs/dashboard.ts";
import { takerOf } from "../../../../kernel/docs/filters.ts";
import { withNames } from "../../../../kernel/docs/named-by-index.ts";
import { isObject } from "../../../../kernel/text/is-object.ts";
import { stepsOf } from "../../../../kernel/text/json-pointer.ts";
import { flawsByKind } from "../../../http/render-problem.ts";
import { columnsOf, type DrawnColumns } from "./draw.ts";
import type { Definition } from "./definition.ts";

export type DrawnDashboard = {
  filters: NonNullable<Dashboard["filters"]>;
  layout: { columns?: number | undefined; tiles: Tile[] };
};

/**
 * Charts name their fields, as far as their datasets' columns are known. Members that the grammar does not have are
 * left out, and a dataset that only filters name is not named.
 */
export function drawDashboard(definition: Definition, dashboard: Dashboard, columns: DrawnColumns): DrawnDashboard {
  const { filters, layout, tiles } = dashboard;
  const known = knownMembers({ filters, layout, tiles });
  const drawn = tilesOf(known).tiles.map((tile) => withNames(tile, columnsOf(definition, columns)) ?? tile);
  const keys = datasetsDrawnBy(drawn);
  return {
    filters: (known.filters ?? []).flatMap(({ target, ...filter }, i) => {
      const takes = (key: string) => takerOf(definition.datasets[key]!).filters.includes(filter.id);
      const datasets = target.datasets && keys.filter((key) => target.datasets!.includes(key) || takes(key));
      // With less than is written it would be another default, or none; so nobody can ask with it.
      const preset = filters![i]!.default;
      const asWritten = { ...filter, ...(preset !== undefined && { default: preset }) };
      return datasets?.length === 0 ? [] : [{ ...asWritten, target: { ...target, ...(datasets && { datasets }) } }];
    }),
    layout: { columns: known.layout?.columns, tiles: drawn },
  };
}

/** The tiles may be stored ones, which have members that nothing here knows. */
export const datasetsDrawnBy = (tiles: readonly unknown[]): string[] => [...new Set(tiles.flatMap(datasetsOfTile))];

function datasetsOfTile(tile: unknown): string[] {
  if (!isObject(tile) || tile["type"] === "markdown") return [];
  const { type, datasets, source } = tile;
  const named: unknown = type === "html" ? datasets : [source];
  return Array.isArray(named) ? named.filter((key) => typeof key === "string") : [];
}

const Known = z.object(dashboardMembers);

/** A drawn dashboard keeps what the grammar knows of one that was checked. */
function knownMembers(dashboard: Dashboard): Dashboard {
  const read = Known.safeParse(dashboard);
  if (read.success) return read.data;
  const rest = structuredClone(dashboard);
  for (const { pointer, isUnknownKey } of flawsByKind(read.error)) if (isUnknownKey) removeAt(rest, stepsOf(pointer));
  return Known.parse(rest);
}

function removeAt(value: object, steps: readonly string[]): void {
  const [step = "", ...rest] = steps;
  const member = Object.getOwnPropertyDescriptor(value, step)?.value as unknown;
  if (rest.length === 0) Reflect.deleteProperty(value, step);
  else if (typeof member === "object" && member !== null) removeAt(member, rest);
}
