// Which maintenance of a lake is meant, and which goes on.

import { isUuid } from "../../../core/ids.ts";
import type { Db } from "../../../platform/db/client.ts";
import type { LakeName } from "../../../platform/lake/lake.ts";
import type { Run } from "../runs/run.ts";
import {
  findMaintenanceRun,
  selectAttempts,
  selectNewestMaintenances,
  selectOpenMaintenances,
  type AttemptRow,
  type MaintenanceOf,
  type MaintenanceRun,
  type WhichMaintenance,
} from "./store.ts";

export type { AttemptRow, MaintenanceOf, MaintenanceRun, WhichMaintenance };

/** Undefined where there is none; what is no id finds nothing. */
export function findMaintenance(
  db: Db,
  of: MaintenanceOf,
  which: WhichMaintenance,
): Promise<MaintenanceRun | undefined> {
  const id = which.maintenanceId?.toLowerCase();
  if (id !== undefined && !isUuid(id)) return Promise.resolve(undefined);
  return findMaintenanceRun(db, of, { ...which, maintenanceId: id });
}

export const listAttempts = (db: Db, run: Pick<Run, "teamId" | "id">): Promise<AttemptRow[]> => selectAttempts(db, run);

/** Those that have not ended, of any of the lakes. */
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
