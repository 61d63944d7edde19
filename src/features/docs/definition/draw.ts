// The definition as whoever draws it reads it: charts name their fields, whichever way the text does. Pure.

import { tilesOf, type Dashboard } from "../../../../kernel/docs/dashboard.ts";
import { withNames } from "../../../../kernel/docs/named-by-index.ts";
import { columnsOfCube } from "./cube-columns.ts";
import type { Definition } from "./definition.ts";

/** By the key of a SQL dataset, its columns as they were known when the version was saved. */
export type DrawnColumns = Record<string, string[]>;

export function drawnDefinition(definition: Definition, dashboard: Dashboard, columns: DrawnColumns): Definition {
  // A tile that is not drawn stands here as it is written, and in the dashboard as a note.
  const { layout, tiles } = definition as Dashboard;
  const written: readonly unknown[] = layout?.tiles ?? tiles ?? [];
  const named = tilesOf(dashboard).tiles.map(
    (tile, i) => withNames(tile, columnsOf(definition, columns)) ?? written[i],
  );
  if (layout?.tiles) return { ...definition, layout: { ...layout, tiles: named } };
  return tiles ? { ...definition, tiles: named } : definition;
}

/** Answers the columns of a dataset by its key, as far as they are known. */
export const columnsOf =
  ({ datasets }: Definition, columns: DrawnColumns) =>
  (key: string): readonly string[] | undefined => {
    const dataset = Object.hasOwn(datasets, key) ? datasets[key] : undefined;
    if (dataset?.engine === "cube") return columnsOfCube(dataset).names;
    return Object.hasOwn(columns, key) ? columns[key] : undefined;
  };
