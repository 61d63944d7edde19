// Lineage: which dataset builds a table, from which tables, and how that went last.

import { z } from "@hono/zod-openapi";
import type { LakeTableName } from "../../../kernel/lake/lake.ts";
import { foldName } from "../../../kernel/text/fold-name.ts";
import { valueOf } from "../../core/answer.ts";
import { LIMITS } from "../../core/limits.ts";
import type { PageOf } from "../../core/page.ts";
import type { Needs } from "../../clients/context.ts";
import { BUILD_STATES } from "../../platform/db/schema/build-schema.ts";
import { listBuilds } from "../docs/builds/list-builds.ts";
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
    tests_warned: z.number().int().openapi({ description: "Tests of the severity `warn` that failed then." }),
  })
  .openapi("LineageTable");
export type LineageTable = z.infer<typeof LineageTable>;

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
    .map(
      (build): LineageTable => ({
        ...{ schema: build.schemaName, name: build.tableName, doc_id: build.docId, dataset_key: build.datasetKey },
        sources: build.sources.filter((source) => visible.has(keyOf(source))),
        ...{ published_at: build.publishedAt, published_run_id: build.publishedRunId, rows_written: build.rowsWritten },
        ...{ state: build.state, tried_at: build.triedAt, run_id: build.runId },
        ...{ tests_failed: build.testsFailed, tests_warned: build.testsWarned },
      }),
    );
  return { items, total: items.length, limit: LIMITS.catalogTablesMax, offset: 0 };
}

const keyOf = ({ schema, name }: LakeTableName): string => JSON.stringify([foldName(schema), foldName(name)]);
