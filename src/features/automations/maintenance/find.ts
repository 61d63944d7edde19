// Finds the maintenance of a lake that a caller means, and the open one.

import { isUuid } from "../../../core/ids.ts";
import type { Db } from "../../../platform/db/client.ts";
import type { LakeName } from "../../../lake/lake.ts";
import { findAttemptOfJob } from "../../work-model/attempts.ts";
import type { Run } from "../runs/run.ts";
import {
  findMaintenanceRun,
  selectLeftAlone,
  selectNewestMaintenances,
  selectOpenMaintenances,
  type MaintenanceOf,
  type MaintenanceRun,
  type TableLeftAlone,
  type WhichMaintenance,
} from "./store.ts";

export type { MaintenanceOf, MaintenanceRun, TableLeftAlone };
/** `engineJobId`: of any of its attempts. */
export type Which = WhichMaintenance & { engineJobId?: string | undefined };

/** Undefined where there is none; what is no id finds nothing. */
export async function findMaintenance(
  db: Db,
  of: MaintenanceOf,
  { engineJobId, ...which }: Which,
): Promise<MaintenanceRun | undefined> {
  const id = which.maintenanceId?.toLowerCase();
  if (id !== undefined && !isUuid(id)) return undefined;
  if (engineJobId === undefined) return findMaintenanceRun(db, of, { ...which, maintenanceId: id });
  const runId = (await findAttemptOfJob({ db }, of.teamId, engineJobId))?.runId;
  if (runId === undefined || (id !== undefined && id !== runId)) return undefined;
  return findMaintenanceRun(db, of, { ...which, maintenanceId: runId });
}

/** The maintenances of these lakes that have not ended. */
export const listOpenMaintenances = (db: Db, lakes: readonly LakeName[]): Promise<Run[]> =>
  selectOpenMaintenances(db, lakes);

/** The newest of each lake. */
export const listNewestMaintenances = (db: Db, lakes: readonly LakeName[]): Promise<Run[]> =>
  selectNewestMaintenances(db, lakes, { isEnded: false });

/** The last that ended, by the lake's id. */
export async function findLastEnded(db: Db, lakes: readonly LakeName[]): Promise<Map<string, Run>> {
  const runs = await selectNewestMaintenances(db, lakes, { isEnded: true });
  return new Map(runs.map((run) => [run.resourceId, run]));
}

/** This many times in a row are no accident. */
const LEFT_ALONE_TIMES = 3;

/** The tables of a lake that none of its last maintenances came to, as each met their sync at work. */
export const findLeftAlone = (db: Db, lake: LakeName): Promise<TableLeftAlone[]> =>
  selectLeftAlone(db, lake, LEFT_ALONE_TIMES);
