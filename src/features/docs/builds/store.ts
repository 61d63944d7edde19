// Every statement about the tables that docs build. A read takes the team first.

import { and, asc, eq, sql } from "drizzle-orm";
import type { Db } from "../../../platform/db/client.ts";
import { tableBuilds } from "../../../platform/db/schema/build-schema.ts";

export type TableBuild = typeof tableBuilds.$inferSelect;

/** The newest try takes the place of the one before; what was published last stays known until more is. */
export function upsertBuild(db: Db, row: TableBuild) {
  const kept = (column: keyof TableBuild) =>
    sql`coalesce(excluded.${sql.identifier(NAMES[column]!)}, ${tableBuilds[column]})`;
  return db
    .insert(tableBuilds)
    .values(row)
    .onConflictDoUpdate({
      target: [tableBuilds.teamId, tableBuilds.lakeId, tableBuilds.schemaName, tableBuilds.tableName],
      set: {
        ...{ docId: row.docId, datasetKey: row.datasetKey, runId: row.runId, state: row.state },
        ...{ triedAt: row.triedAt, testsFailed: row.testsFailed, testsWarned: row.testsWarned },
        publishedAt: kept("publishedAt"),
        publishedRunId: kept("publishedRunId"),
        rowsWritten: kept("rowsWritten"),
        sources: kept("sources"),
      },
    });
}

const NAMES: Partial<Record<keyof TableBuild, string>> = {
  publishedAt: "published_at",
  publishedRunId: "published_run_id",
  rowsWritten: "rows_written",
  sources: "sources",
};

export const selectBuilds = (db: Db, teamId: string, lakeId: string, rowsMax: number): Promise<TableBuild[]> =>
  db
    .select()
    .from(tableBuilds)
    .where(and(eq(tableBuilds.teamId, teamId), eq(tableBuilds.lakeId, lakeId)))
    .orderBy(asc(tableBuilds.schemaName), asc(tableBuilds.tableName))
    .limit(rowsMax)
    .all();
