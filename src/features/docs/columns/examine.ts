// A doc's tiles are examined against the columns that its SQL datasets answer now. Tables change, so a field that is
// missing is a warning: a text that was saved can be saved again.

import { checkFields } from "../../../../kernel/docs/check-fields.ts";
import { tilesOf, type Tile } from "../../../../kernel/docs/dashboard.ts";
import { datasetsByIndex } from "../../../../kernel/docs/named-by-index.ts";
import { DOC_LIMITS } from "../limits.ts";
import type { Flaw } from "../../../core/problem.ts";
import type { DrawnColumns } from "../definition/draw.ts";
import type { ParsedDefinition } from "../definition/parse.ts";
import { describeDatasets, type DescribeDeps, type SqlDataset } from "./describe.ts";

export type Examined = { columns: DrawnColumns | null; warnings: Flaw[] };

/** `columns`: of the datasets whose charts name fields by their place. */
export async function examineDrawing(
  ctx: DescribeDeps,
  { definition, dashboard }: Pick<ParsedDefinition, "definition" | "dashboard">,
): Promise<Examined> {
  const { tiles } = tilesOf(dashboard);
  const drawn = sqlDatasetsOf(definition, tiles);
  const described = await describeDatasets(ctx, drawn);
  const unknown = [...drawn.keys()].filter((key) => !described.has(key));
  const flaws = checkFields(dashboard, (key) => {
    const names = described.get(key);
    return names && { names };
  });
  const byIndex = datasetsByIndex(tiles).filter((key) => described.has(key));
  const columns = Object.fromEntries(byIndex.map((key) => [key, described.get(key)!]));
  const fits = JSON.stringify(columns).length <= DOC_LIMITS.columnsBytesMax;
  return { columns: byIndex.length > 0 && fits ? columns : null, warnings: [...flaws, ...unchecked(unknown)] };
}

const sqlDatasetsOf = ({ datasets }: ParsedDefinition["definition"], tiles: readonly Tile[]): Map<string, SqlDataset> =>
  new Map(
    tiles.flatMap((tile) => {
      if (tile.type === "markdown" || tile.type === "html" || !tile.viz) return [];
      const dataset = datasets[tile.source];
      return dataset?.engine === "sql" ? [[tile.source, dataset] as const] : [];
    }),
  );

const unchecked = (keys: readonly string[]): Flaw[] =>
  keys.map((key) => ({
    pointer: `/datasets/${key}`,
    message: "Its columns could not be asked for now, so that the fields which are drawn of it are not checked.",
  }));
