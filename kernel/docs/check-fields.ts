// The fields that tiles draw against the columns that their datasets answer, as far as those are known.

import { foldText } from "../text/fold-name.ts";
import { editsBetween } from "../text/near-names.ts";
import { isByIndex, placesBeyond, type ChartOptions } from "./chart-options.ts";
import type { DocFlaw } from "./check-dashboard.ts";
import { tilesOf, type Dashboard } from "./dashboard.ts";
import { fieldsOf } from "./fields.ts";
import type { Viz } from "./viz.ts";

/** The columns of one dataset, in their order. `alsoNamed`: other names by which a field may be meant. */
export type KnownColumns = { names: readonly string[]; alsoNamed?: readonly string[] };

/**
 * A flaw for each field, or place of a field, that its dataset does not answer. Fields that are not known are not
 * checked.
 */
export function checkFields(dashboard: Dashboard, columnsOf: (dataset: string) => KnownColumns | undefined): DocFlaw[] {
  const { at, tiles } = tilesOf(dashboard);
  return tiles.flatMap((tile, i) => {
    if (tile.type === "markdown" || tile.type === "html" || !tile.viz) return [];
    const columns = columnsOf(tile.source);
    return columns ? checkFieldsOf(tile.viz, columns, { at: `${at}/${i}/viz`, of: `The dataset ${tile.source}` }) : [];
  });
}

/** A viz is checked as a tile's is. `at` is its place, and `of` begins a sentence with what has the columns. */
export function checkFieldsOf(
  viz: Viz | ChartOptions,
  { names, alsoNamed = [] }: KnownColumns,
  { at, of }: { at: string; of: string },
): DocFlaw[] {
  const pointer = (steps: readonly (string | number)[]) => [at, ...steps].join("/");
  if (isByIndex(viz))
    return placesBeyond(viz, names.length).map((steps) => ({
      pointer: pointer(steps),
      message: `${of} has ${names.length} columns, counted from 0.`,
    }));
  const known = new Set([...names, ...alsoNamed].map(foldText));
  return fieldsOf(viz)
    .filter(({ field }) => !known.has(foldText(field)))
    .map(({ field, steps }) => ({
      pointer: pointer(steps),
      message: `${of} has no column ${field}.${meant(field, names)}`,
    }));
}

function meant(field: string, names: readonly string[]): string {
  const near = names.flatMap((name) => {
    const edits = editsBetween(foldText(field), foldText(name));
    return edits === undefined ? [] : [{ name, edits }];
  });
  const [nearest] = near.sort((one, other) => one.edits - other.edits);
  return nearest ? ` Did you mean ${nearest.name}?` : "";
}
