// Rounds of collection and maintenance keep summaries of lakes, so that many lakes can be answered for without asking
// each.

import { LAKE_LIMITS } from "../limits.ts";
import type { Needs } from "../../../clients/context.ts";
import type { ObjectTally } from "../../../platform/db/schema/schema.ts";
import type { LakeName } from "../../../lake/lake.ts";
import type { LakeFigures } from "../../../../kernel/lake/figures.ts";
import { saveFigures, saveObjects } from "./store.ts";

/** A lake by the one question that is asked of it here. */
export type MeasureDeps = { openLake(lakeId: string): { measure(tablesMax: number): Promise<LakeFigures> } };

/** The catalog's figures of its lake now, and of as many of its tables. */
export const measureLake = (
  { openLake }: MeasureDeps,
  { lakeId }: LakeName,
  tablesMax: number = LAKE_LIMITS.summaryTablesMax,
): Promise<LakeFigures> => openLake(lakeId).measure(tablesMax);

/** The end of a whole look through a lake's objects. */
export async function keepRound(
  deps: Needs<"db"> & MeasureDeps,
  lake: LakeName,
  tally: ObjectTally,
  now: Date,
): Promise<void> {
  await saveObjects(deps.db, lake, tally, now.toISOString());
  await keepFigures(deps, lake, now);
}

/** A summary that can't be made now is made by the next round: it is no failure of this one. */
export async function keepFigures(deps: Needs<"db"> & MeasureDeps, lake: LakeName, now: Date): Promise<void> {
  try {
    await saveFigures(deps.db, lake, await measureLake(deps, lake), now.toISOString());
  } catch (error) {
    console.error(JSON.stringify({ event: "lake_not_measured", ...lake, cause: String(error) }));
  }
}
