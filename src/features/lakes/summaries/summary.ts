// Summaries that the last rounds of maintenance and collection kept of lakes.

import type { Db } from "../../../platform/db/client.ts";
import type { ObjectTally } from "../../../platform/db/schema/schema.ts";
import type { LakeName } from "../../../lake/lake.ts";
import type { LakeFigures } from "../../../../kernel/lake/figures.ts";
import { selectSummaryRows, type SummaryRow } from "./store.ts";

/** Each with the instant it is of; null before there was any. */
export type LakeSummary = {
  figures: { value: LakeFigures; at: string } | null;
  objects: { tally: ObjectTally; at: string } | null;
};

/** By the lake's id; lakes of any teams, whoever may ask for them. */
export async function findSummaries(db: Db, lakes: readonly LakeName[]): Promise<Map<string, LakeSummary>> {
  const rows = await selectSummaryRows(db, lakes);
  return new Map(rows.map((row) => [row.lakeId, summaryOf(row)]));
}

const summaryOf = ({ figures, measuredAt, objects, objectsMeasuredAt }: SummaryRow): LakeSummary => ({
  figures: figures && measuredAt ? { value: figures, at: measuredAt } : null,
  objects: objects && objectsMeasuredAt ? { tally: objects, at: objectsMeasuredAt } : null,
});
