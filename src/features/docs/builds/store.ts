// Every statement about the tables that docs build. A read takes the team first.

import { and, asc, desc, eq, getTableColumns, isNotNull, lt, sql } from "drizzle-orm";
import { foldName } from "../../../../kernel/text/fold-name.ts";
import type { LakeTableName } from "../../../../kernel/lake/lake.ts";
import type { Db } from "../../../platform/db/client.ts";
import { tableBuilds } from "../../../platform/db/schema/build-schema.ts";
import { docRuns, type FailedTest } from "../../../platform/db/schema/schema.ts";

export type DocRunName = { teamId: string; runId: string };
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
        columns: kept("columns"),
      },
    });
}

const NAMES: Partial<Record<keyof TableBuild, string>> = {
  publishedAt: "published_at",
  publishedRunId: "published_run_id",
  rowsWritten: "rows_written",
  sources: "sources",
  columns: "columns",
};

/** Forgets tables that the doc built before the run began, and builds no more. */
export const deleteOtherBuilds = (
  db: Db,
  { teamId, docId, createdAt }: { teamId: string; docId: string; createdAt: string },
  built: readonly LakeTableName[],
) =>
  db.delete(tableBuilds).where(
    and(
      eq(tableBuilds.teamId, teamId),
      eq(tableBuilds.docId, docId),
      lt(tableBuilds.triedAt, createdAt),
      sql`(schema_name, table_name) not in (select value ->> 'schema', value ->> 'name'
        from json_each(${JSON.stringify(built)}))`,
    ),
  );

const { columns: _, ...LISTED } = getTableColumns(tableBuilds);

/** A build without its columns, which may be long. */
export type ShortBuild = Omit<TableBuild, "columns">;

type Builds = { teamId: string; lakeId: string; ofLiveDocs: boolean; rowsMax: number };

export const selectBuilds = (db: Db, { teamId, lakeId, ofLiveDocs, rowsMax }: Builds): Promise<ShortBuild[]> =>
  db
    .select(LISTED)
    .from(tableBuilds)
    .where(
      and(
        eq(tableBuilds.teamId, teamId),
        eq(tableBuilds.lakeId, lakeId),
        ofLiveDocs
          ? sql`exists (select 1 from docs d where d.id = ${tableBuilds.docId} and d.team_id = ${teamId}
              and d.archived_at is null)`
          : undefined,
      ),
    )
    .orderBy(asc(tableBuilds.schemaName), asc(tableBuilds.tableName))
    .limit(rowsMax)
    .all();

/** The build of the table, in whatever case its name is written. */
export const findBuild = (
  db: Db,
  { teamId, lakeId }: { teamId: string; lakeId: string },
  { schema, name }: LakeTableName,
): Promise<TableBuild | undefined> =>
  db
    .select()
    .from(tableBuilds)
    .where(
      and(
        eq(tableBuilds.teamId, teamId),
        eq(tableBuilds.lakeId, lakeId),
        sql`lower(schema_name) = ${foldName(schema)} and lower(table_name) = ${foldName(name)}`,
      ),
    )
    .orderBy(desc(tableBuilds.triedAt))
    .limit(1)
    .get();

/** Keeps which tests of a run's tables failed. */
export const setFailedTests = (db: Db, { teamId, id }: { teamId: string; id: string }, failed: FailedTest[]) =>
  db
    .update(docRuns)
    .set({ failedTests: failed.length > 0 ? failed : null })
    .where(and(eq(docRuns.teamId, teamId), eq(docRuns.id, id)));

/** The tests that failed in these runs, by the run's id: some of many. Only of runs in which any did. */
export async function selectFailedTests(db: Db, runs: readonly DocRunName[]): Promise<Map<string, FailedTest[]>> {
  const rows = await db
    .select({ runId: docRuns.id, failedTests: docRuns.failedTests })
    .from(docRuns)
    .where(
      and(
        sql`(team_id, id) in (select value ->> 'teamId', value ->> 'runId' from json_each(${JSON.stringify(runs)}))`,
        isNotNull(docRuns.failedTests),
      ),
    )
    .all();
  return new Map(rows.map(({ runId, failedTests }) => [runId, failedTests ?? []]));
}
