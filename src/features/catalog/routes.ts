// /v4/catalog/integrations/{integration_id}: what lies in a lake.

import { z } from "@hono/zod-openapi";
import { DUCKLAKE_FORMATS, SQLITE_TYPE } from "../../../kernel/wire/engine.ts";
import { LIMITS } from "../../core/limits.ts";
import { CATALOG_LIMITS } from "./limits.ts";
import { enveloped, pageOf } from "../../http/answer.ts";
import { integerParameter } from "../../http/request/query-params.ts";
import { createRouter } from "../../http/router.ts";
import { exportLakeCatalog } from "./export.ts";
import { getColumnProfile } from "./get-profile.ts";
import { getLakeTable } from "./get-table.ts";
import { getTableLineage, LineageTable, LineageTableDetail, listLineage } from "./list-lineage.ts";
import { listTableSnapshots } from "./list-snapshots.ts";
import { listLakeTables } from "./list-tables.ts";
import { ColumnProfile } from "./profile.ts";
import { LakeTable, LakeTableDetail, TableSnapshot } from "./table.ts";

const TAGS = ["Catalog"];

export const catalog = createRouter(TAGS);

const LakePath = z.object({ integration_id: z.string().openapi({ description: "A lake of the team." }) });
const TablePath = LakePath.extend({
  schema_name: z.string().openapi({ description: "In any case of its letters, percent-encoded where needed." }),
  table_name: z.string(),
});

catalog.operation("listLakeTables", "GET /{integration_id}/tables", {
  permission: "catalog:read",
  summary: "List the tables of a lake",
  description:
    `All of them in one answer, by schema and name; of more than ${LIMITS.catalogTablesMax} the ` +
    "rest is only counted in `total`.",
  params: LakePath,
  answer: enveloped("The tables as of now", pageOf("LakeTablePage", LakeTable)),
  run: (ctx, { params }) => listLakeTables(ctx, params.integration_id),
});

catalog.operation("listLineage", "GET /{integration_id}/lineage", {
  permission: "catalog:read",
  summary: "List the tables that docs build, and what from",
  description:
    "By schema and name: the dataset that builds each, the tables it was read from, when it was published last, and " +
    "how its tests went. Tables that the caller may not read are left out.",
  tags: ["Catalog", "Extensions"],
  params: LakePath,
  answer: enveloped("The tables", pageOf("LineagePage", LineageTable)),
  run: (ctx, { params }) => listLineage(ctx, params.integration_id),
});

catalog.operation("getLakeTable", "GET /{integration_id}/tables/{schema_name}/{table_name}", {
  permission: "catalog:read",
  summary: "Get a table with its columns",
  description: "With what the catalog knows of each column, nested ones included: type, bounds, counts, bytes.",
  params: TablePath,
  answer: enveloped("The table as of now", LakeTableDetail),
  run: (ctx, { params }) =>
    getLakeTable(ctx, params.integration_id, { schema: params.schema_name, table: params.table_name }),
});

catalog.operation("getTableLineage", "GET /{integration_id}/tables/{schema_name}/{table_name}/lineage", {
  permission: "catalog:read",
  summary: "See what a table that a doc builds is built from, down to columns",
  description:
    "As `listLineage` tells, and for each column from which tables' columns its values come, as far as the statement's " +
    "syntax tree says so for certain. 404 for a table that no doc has built.",
  tags: ["Catalog", "Extensions"],
  params: TablePath,
  answer: enveloped("The table", LineageTableDetail),
  run: (ctx, { params }) =>
    getTableLineage(ctx, params.integration_id, { schema: params.schema_name, table: params.table_name }),
});

catalog.operation("listTableSnapshots", "GET /{integration_id}/tables/{schema_name}/{table_name}/snapshots", {
  permission: "catalog:read",
  summary: "List what changed in a table, newest first",
  description:
    "Each snapshot of the lake that touched the table, or a table that it was put in the " +
    "place of, and has not expired.",
  params: TablePath,
  query: z.strictObject({ limit: integerParameter({ min: 1, max: CATALOG_LIMITS.snapshotsMax, default: 28 }) }),
  answer: enveloped("The newest snapshots", pageOf("TableSnapshotPage", TableSnapshot)),
  run: (ctx, { params, query }) =>
    listTableSnapshots(
      ctx,
      params.integration_id,
      { schema: params.schema_name, table: params.table_name },
      query.limit,
    ),
});

catalog.operation(
  "getColumnProfile",
  "GET /{integration_id}/tables/{schema_name}/{table_name}/columns/{column_name}/profile",
  {
    permission: "catalog:read",
    summary: "Profile a column",
    description:
      `The catalog's statistics first; what they lack comes from a live read of at most ${CATALOG_LIMITS.profileMs} ms. ` +
      "Where that can't be had, the catalog's part is answered alone, `complete` is false and `notes` say why.",
    params: TablePath.extend({ column_name: z.string().openapi({ description: "A top-level column." }) }),
    answer: enveloped("What is known of the column's values", ColumnProfile),
    run: (ctx, { params }) =>
      getColumnProfile(
        ctx,
        params.integration_id,
        { schema: params.schema_name, table: params.table_name },
        params.column_name,
      ),
  },
);

const ExportQuery = z.strictObject({
  format: z
    .enum(DUCKLAKE_FORMATS)
    .default("1.0")
    .openapi({ description: "The version of DuckLake's format. DuckDB 1.4 attaches 0.3, later versions 1.0." }),
  data_path: z
    .string()
    .min(1)
    .max(CATALOG_LIMITS.dataPathCharactersMax)
    .refine((path) => path.isWellFormed() && !/\p{Cc}/u.test(path), "No control characters.")
    .optional()
    .openapi({
      description: "Where the reader of the file finds the lake's files, if not at their place on the object store.",
    }),
});

catalog.rawOperation("exportLakeCatalog", "GET /{integration_id}/export", {
  permission: "integrations:write",
  audit: "catalog.export",
  summary: "Export a lake's catalog as an SQLite file",
  description:
    "In DuckLake's format, with every snapshot that has not expired: " +
    "`ATTACH 'ducklake:sqlite:<file>' AS lake (READ_ONLY)`. The data stays where it is; who reads it needs leave " +
    "to the bucket. Attach it for reading only: what a copy of the catalog commits, the lake never learns of.",
  tags: [...TAGS, "Extensions"],
  params: LakePath,
  query: ExportQuery,
  responses: {
    200: {
      description: "The file, whole",
      headers: z.object({
        "Content-Disposition": z.string(),
        "X-Fjord-Snapshot-Id": z.string().openapi({ description: "The newest snapshot in it." }),
      }),
      content: { [SQLITE_TYPE]: { schema: { type: "string" as const, format: "binary" } } },
    },
  },
  fails: ["resource_conflict", "query_timeout", "query_cancelled"],
  async respond(ctx, { params, query }) {
    const { body, bytes, fileName, snapshotId } = await exportLakeCatalog(
      ctx,
      params.integration_id,
      { format: query.format, dataPath: query.data_path },
      ctx.request.signal,
    );
    // With its length stated, a file that breaks off can't pass for a whole one.
    const { readable, writable } = new FixedLengthStream(bytes);
    ctx.waitUntil(body.pipeTo(writable).catch(() => undefined));
    const headers = {
      "content-type": SQLITE_TYPE,
      "content-disposition": `attachment; filename="${fileName}"`,
      "x-fjord-snapshot-id": String(snapshotId),
    };
    return new Response(readable, { status: 200, headers });
  },
});
