// Lineage: which dataset builds a table, from which tables, and how that went last.

import { z } from "@hono/zod-openapi";
import type { LakeTableName } from "../../../kernel/lake/lake.ts";
import { foldName } from "../../../kernel/text/fold-name.ts";
import { valueOf } from "../../core/answer.ts";
import { LIMITS } from "../../core/limits.ts";
import { notFound } from "../../core/problem.ts";
import type { PageOf } from "../../core/page.ts";
import type { Needs } from "../../clients/context.ts";
import { BUILD_STATES } from "../../platform/db/schema/build-schema.ts";
import { findTableBuild, listBuilds, type ListedBuild } from "../docs/builds/list-builds.ts";
import type { TableName } from "./get-table.ts";
import { openReadLake } from "./open-lake.ts";

const Source = z.object({ schema: z.string(), name: z.string() }).openapi("LineageSource");

export const LineageTable = z
  .object({
    schema: z.string(),
    name: z.string(),
    doc_id: z.uuid(),
    dataset_key: z.string(),
    sources: z
      .array(Source)
      .openapi({ description: "The tables that the rows were read from at the last run that was published." }),
    published_at: z.iso
      .datetime()
      .nullable()
      .openapi({ description: "When its rows were last published: its freshness." }),
    published_run_id: z.uuid().nullable(),
    rows_written: z.number().int().nullable(),
    state: z
      .enum(BUILD_STATES)
      .openapi({
        description: "How the last run ended that came to publish: `tests_failed` left the table as it was.",
      }),
    tried_at: z.iso.datetime(),
    run_id: z.uuid().openapi({ description: "The run that came to publish last." }),
    tests_failed: z.number().int().openapi({ description: "Tests of the severity `error` that failed then." }),
    tests_warned: z
      .number()
      .int()
      .openapi({ description: "Tests of the severity `warn` that are known to have failed." }),
  })
  .openapi("LineageTable");
export type LineageTable = z.infer<typeof LineageTable>;

const LineageColumn = z
  .object({
    name: z.string(),
    is_known: z
      .boolean()
      .openapi({ description: "Whether DuckDB's syntax tree says for certain where the values come from." }),
    sources: z
      .array(z.object({ schema: z.string(), name: z.string(), column: z.string() }))
      .openapi({
        description:
          "The columns that its expression names, through joins, sub-queries and UNION: empty of constants, and where " +
          "`is_known` is false. What only chooses, groups or sorts rows is not among them.",
      }),
  })
  .openapi("LineageColumn");

export const LineageTableDetail = LineageTable.extend({
  columns: z
    .array(LineageColumn)
    .nullable()
    .openapi({
      description:
        "Of the last published run's rows; of a Python dataset all are unknown. Null for whom data-access roles bind.",
    }),
}).openapi("LineageTableDetail");
export type LineageTableDetail = z.infer<typeof LineageTableDetail>;

/** What the caller may not read of the lake is not told, on either side. */
export async function listLineage(
  ctx: Needs<"scope" | "db" | "openLake">,
  integrationId: string,
): Promise<PageOf<LineageTable>> {
  const { lake, lakeId, reader } = await openReadLake(ctx, integrationId);
  const [builds, browsed] = await Promise.all([
    listBuilds(ctx, lakeId),
    lake.browseTables(LIMITS.catalogTablesMax, reader),
  ]);
  const visible = new Set(valueOf(browsed).tables.map(keyOf));
  const items = builds
    .filter(({ schemaName: schema, tableName: name }) => visible.has(keyOf({ schema, name })))
    .map((build) => lineageOf(build, visible));
  return { items, total: items.length, limit: LIMITS.catalogTablesMax, offset: 0 };
}

/** Who may not read everything may be denied columns, so that no columns are told to them. */
export async function getTableLineage(
  ctx: Needs<"scope" | "db" | "openLake">,
  integrationId: string,
  { schema, table: name }: TableName,
): Promise<LineageTableDetail> {
  const { lake, lakeId, reader } = await openReadLake(ctx, integrationId);
  const [found, browsed] = await Promise.all([
    lake.browseTable({ schema, name }, reader),
    lake.browseTables(LIMITS.catalogTablesMax, reader),
  ]);
  const build = await findTableBuild(ctx, lakeId, valueOf(found).summary);
  if (!build) throw notFound("Table that a doc builds", `${schema}.${name}`);
  const columns = build.columns.map(({ column, sources }) => ({
    ...{ name: column, is_known: sources !== null },
    sources: sources ?? [],
  }));
  const visible = new Set(valueOf(browsed).tables.map(keyOf));
  return { ...lineageOf(build, visible), columns: reader === "everything" ? columns : null };
}

const lineageOf = (build: ListedBuild, visible: ReadonlySet<string>): LineageTable => ({
  ...{ schema: build.schemaName, name: build.tableName, doc_id: build.docId, dataset_key: build.datasetKey },
  sources: build.sources.filter((source) => visible.has(keyOf(source))),
  ...{ published_at: build.publishedAt, published_run_id: build.publishedRunId, rows_written: build.rowsWritten },
  ...{ state: build.state, tried_at: build.triedAt, run_id: build.runId },
  ...{ tests_failed: build.testsFailed, tests_warned: build.testsWarned },
});

const keyOf = ({ schema, name }: LakeTableName): string => JSON.stringify([foldName(schema), foldName(name)]);
