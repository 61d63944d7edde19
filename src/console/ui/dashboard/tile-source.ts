// A dashboard is drawn alike for members and for readers elsewhere: whoever shows it says how its parts are asked for.

import type { Tile } from "../../../../kernel/docs/dashboard.ts";
import type { ResultTable } from "../../../../kernel/docs/draw/result-table.ts";

export type SourcedTile = Extract<Tile, { source: string }>;
export type HtmlTileOf = Extract<Tile, { type: "html" }>;

export type DatasetResult = { table: ResultTable; notes: string[] };

/** A thing that is asked for once for all that show it. */
export type TileQuery<Data> = {
  queryKey: readonly unknown[];
  queryFn(context: { signal: AbortSignal }): Promise<Data>;
};

export type TileSource = {
  /** Undefined of a dataset that the dashboard does not have. */
  askDataset(key: string): TileQuery<DatasetResult> | undefined;
  /** The page that an HTML tile shows, as text. */
  askPage(tile: HtmlTileOf): TileQuery<string>;
  /** The path of the empty page that such a page is written into. */
  framePath: string;
};

const KEPT_MS = 60_000;

/** How what is asked for is kept. */
export const KEPT = { staleTime: KEPT_MS, structuralSharing: false } as const;
