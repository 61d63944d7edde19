import { newId } from "../../core/ids.ts";
import { CATALOG_LIMITS } from "./limits.ts";
import { isProblem, notFound } from "../../core/problem.ts";
import type { Needs } from "../../clients/context.ts";
import { valueOf } from "../../core/answer.ts";
import type { BrowsedColumn } from "../../lake/browse/columns.ts";
import type { TableSummary } from "../../lake/browse/tables.ts";
import { foldName } from "../../../kernel/text/fold-name.ts";
import { grantReader } from "../../lake/lake.ts";
import type { TableName } from "./get-table.ts";
import { openReadLake } from "./open-lake.ts";
import { completeFigures, figuresOfCatalog, sourceOf, type ColumnProfile } from "./profile.ts";

/**
 * The profile of one column, within the caller's access. The catalog answers first and always; where the live read
 * fails, or ends too late, its figures are missing and the notes say why. Only a top-level column has a profile.
 */
export async function getColumnProfile(
  ctx: Needs<"scope" | "db" | "tokens" | "openLake" | "openEngine">,
  integrationId: string,
  { schema, table }: TableName,
  name: string,
): Promise<ColumnProfile> {
  const { scope, openEngine } = ctx;
  const { lakeId, lake, ...reader } = await openReadLake(ctx, integrationId);
  const [found, grant] = await Promise.all([
    lake.browseTable({ schema, name: table }, reader.reader),
    grantReader(ctx, { teamId: scope.teamId, lakeId }, reader, {
      deadlineMs: CATALOG_LIMITS.profileMs,
      now: scope.now,
    }),
  ]);
  const { summary, columns } = valueOf(found);
  const column = columns.find((candidate) => foldName(candidate.name) === foldName(name));
  if (!column) throw notFound("Column", `${schema}.${table}.${name}`);

  const known = figuresOfCatalog(summary.rows, column);
  const head = describe(summary, column, grant.snapshotId);
  if (summary.rows === 0)
    return { ...head, source: "catalog", complete: true, ...known, notes: ["The table has no rows."] };
  try {
    const request = {
      id: newId(scope.now),
      lake: grant,
      schema: summary.schema,
      table: summary.name,
      column: column.name,
      type: column.type,
      deadlineMs: CATALOG_LIMITS.profileMs,
    };
    const live = await openEngine(scope.teamId).profileColumn(request);
    const figures = completeFigures(known, live);
    const notes = live.lacking.map(({ figure, reason }) => `${figure}: ${reason}`);
    return { ...head, source: sourceOf(figures), complete: notes.length === 0, ...figures, notes };
  } catch (error) {
    if (!isProblem(error)) throw error;
    console.error(
      JSON.stringify({
        event: "profile_without_query",
        requestId: scope.requestId,
        code: error.code,
        message: error.message,
      }),
    );
    return {
      ...head,
      source: "catalog",
      complete: false,
      ...known,
      notes: [`The live read could not be had: ${error.message}`],
    };
  }
}

const describe = ({ schema, name }: TableSummary, column: BrowsedColumn, snapshotId: number) => ({
  schema_name: schema,
  table_name: name,
  column_name: column.name,
  type: column.sqlType,
  lake_type: column.type,
  nullable: column.nullable,
  snapshot_id: snapshotId,
});
