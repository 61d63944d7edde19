import type { Db } from "../../../platform/db/client.ts";
import type { FailedTest } from "../../../platform/db/schema/schema.ts";
import { selectFailedTests, type DocRunName } from "./store.ts";

/** The tests of built tables that failed in runs of docs, by the run's id. Sweeps ask across teams, without a scope. */
export const findFailedTests = async (
  db: Db,
  runs: readonly DocRunName[],
): Promise<ReadonlyMap<string, FailedTest[]>> => (runs.length === 0 ? new Map() : selectFailedTests(db, runs));
