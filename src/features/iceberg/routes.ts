// /iceberg: a lake's tables for other engines, as an Iceberg REST catalog that is read only.

import { z } from "@hono/zod-openapi";
import { createMiddleware } from "hono/factory";
import { Problem } from "../../core/problem.ts";
import type { AppEnv } from "../../http/app-env.ts";
import { json, plain } from "../../http/answer.ts";
import type { CallContext } from "../../http/call.ts";
import { createRouter } from "../../http/router.ts";
import {
  ENDPOINTS,
  IcebergConfig,
  IcebergCredentials,
  IcebergNamespace,
  IcebergNamespaces,
  IcebergTable,
  IcebergTables,
} from "./documents.ts";
import { grantTable, renewalOf } from "./credentials.ts";
import { loadTable } from "./load-table.ts";
import { openTable, requireOwnFolder } from "./open-table.ts";
import { findWarehouseName, listContent, openWarehouse, requireSchema, type Warehouse } from "./warehouse.ts";

export const iceberg = createRouter(["Iceberg", "Extensions"], "iceberg");

/** Nobody writes here, with a key or without. */
export const refuseIcebergWrites = createMiddleware<AppEnv>(async (c, next) => {
  if (!["GET", "HEAD", "OPTIONS"].includes(c.req.method))
    throw new Problem(
      "not_acceptable",
      "This catalog is read only: write to the lake's tables with SQL by POST /v1/query. An API key is the token " +
        "itself, and is exchanged for none.",
    );
  await next();
});

const WarehousePath = z.object({
  warehouse: z
    .string()
    .openapi({ description: "A lake of the team, or `<lake>:spark`: its columns as Spark reads them rightly." }),
});
const SchemaPath = WarehousePath.extend({ schema_name: z.string() });
const TablePath = SchemaPath.extend({ table_name: z.string() });

/** Clients send parameters of later versions of the specification. */
const AnyQuery = z.object({}).loose();

const isHead = ({ request }: Pick<CallContext, "request">): boolean => request.method === "HEAD";
const exists = (): Response => new Response(null, { status: 204 });

iceberg.operation("getIcebergConfig", "GET /v1/config", {
  permission: "iceberg",
  summary: "Tell an Iceberg client what this catalog is",
  description: "`endpoints` is all that the catalog answers; the rest of Iceberg's REST catalog writes.",
  query: z.looseObject({
    warehouse: z
      .string()
      .optional()
      .openapi({ description: "A lake's id, or `<lake>:spark`; by default the team's own lake." }),
  }),
  answer: plain("Settings for the client", IcebergConfig),
  fails: ["resource_not_found"],
  run: async (ctx, { query }) => ({
    // Older clients would exchange a token after a while, and there is nothing to exchange it for.
    defaults: { "token-refresh-enabled": "false" },
    overrides: { prefix: await findWarehouseName(ctx, query.warehouse) },
    endpoints: ENDPOINTS,
  }),
});

iceberg.operation("listIcebergNamespaces", "GET /v1/{warehouse}/namespaces", {
  permission: "iceberg",
  summary: "List a lake's schemas for an Iceberg client",
  description: "Schemas are of one level. Who reads by roles is told of those with a table that they read whole.",
  params: WarehousePath,
  query: z.looseObject({ parent: z.string().optional() }),
  answer: plain("The schemas", IcebergNamespaces),
  async run(ctx, { params, query }) {
    const warehouse = await openWarehouse(ctx, params.warehouse);
    if (query.parent) await requireSchema(warehouse, query.parent);
    const { schemas } = query.parent ? { schemas: [] } : await listContent(warehouse);
    return { namespaces: schemas.map((schema) => [schema]) };
  },
});

iceberg.rawOperation("getIcebergNamespace", "GET /v1/{warehouse}/namespaces/{schema_name}", {
  permission: "iceberg",
  summary: "Get a schema for an Iceberg client",
  description: "HEAD answers 204 where it is there.",
  params: SchemaPath,
  query: AnyQuery,
  responses: { 200: { description: "The schema", ...json(IcebergNamespace) } },
  async respond(ctx, { params }) {
    const { schema } = await requireSchema(await openWarehouse(ctx, params.warehouse), params.schema_name);
    return isHead(ctx) ? exists() : Response.json({ namespace: [schema], properties: {} });
  },
});

iceberg.operation("listIcebergTables", "GET /v1/{warehouse}/namespaces/{schema_name}/tables", {
  permission: "iceberg",
  summary: "List the tables of a schema for an Iceberg client",
  description: "Those that the caller reads whole: a table that roles filter, mask or grant in part is not there.",
  params: SchemaPath,
  query: AnyQuery,
  answer: plain("The tables", IcebergTables),
  async run(ctx, { params }) {
    const { tables } = await requireSchema(await openWarehouse(ctx, params.warehouse), params.schema_name);
    return { identifiers: tables.map(({ schema, name }) => ({ namespace: [schema], name })) };
  },
});

iceberg.rawOperation("loadIcebergTable", "GET /v1/{warehouse}/namespaces/{schema_name}/tables/{table_name}", {
  permission: "iceberg",
  summary: "Load a table for an Iceberg client",
  description:
    "Metadata of version 2 of Iceberg's format, whose snapshots have the lake's numbers, and a storage credential " +
    "that reads the table's folder for an hour. It opens every snapshot that is kept. HEAD answers 204 where the table is " +
    "there.",
  params: TablePath,
  query: z.looseObject({ snapshots: z.string().optional() }),
  requestHeaders: { "If-None-Match": "The `ETag` of what the caller has: 304 where nothing is different." },
  responses: { 200: { description: "The table", ...json(IcebergTable) }, 304: { description: "The caller has it" } },
  fails: ["resource_conflict", "work_in_progress"],
  async respond(ctx, { params, query }) {
    const warehouse = await openWarehouse(ctx, params.warehouse);
    const named = { schema: params.schema_name, name: params.table_name };
    if (isHead(ctx)) {
      await openTable(warehouse, named);
      return exists();
    }
    const refs = query.snapshots === "refs";
    const tagOf = (etag: string): string => (refs ? `"${etag}-refs"` : `"${etag}"`);
    const known = (etag: string): boolean => hasTag(ctx.request.headers.get("if-none-match"), tagOf(etag));
    const loaded = await loadTable(ctx, warehouse, { ...named, known });
    const headers = { ETag: tagOf(loaded.etag) };
    if (!("metadata" in loaded)) return new Response(null, { status: 304, headers });
    const { metadata, location, table } = loaded;
    const credential = grantTable(ctx, folderOf(ctx, warehouse, table), ctx.scope.now);
    const current = metadata["current-snapshot-id"];
    const snapshots = metadata.snapshots.filter((snapshot) => !refs || snapshot["snapshot-id"] === current);
    const body = {
      "metadata-location": location,
      metadata: { ...metadata, snapshots },
      config: { ...credential.config, ...renewalOf(params.warehouse, table, ctx.request.url) },
      "storage-credentials": [credential],
    };
    return Response.json(body, { headers });
  },
});

iceberg.operation(
  "renewIcebergCredentials",
  "GET /v1/{warehouse}/namespaces/{schema_name}/tables/{table_name}/credentials",
  {
    permission: "iceberg",
    summary: "Renew the storage credential of a table that was loaded",
    description: "For whoever may still read the whole table.",
    params: TablePath,
    query: AnyQuery,
    answer: plain("The credential", IcebergCredentials),
    fails: ["resource_conflict"],
    async run(ctx, { params }) {
      const warehouse = await openWarehouse(ctx, params.warehouse);
      const table = await openTable(warehouse, { schema: params.schema_name, name: params.table_name });
      requireOwnFolder(table);
      return { "storage-credentials": [grantTable(ctx, folderOf(ctx, warehouse, table), ctx.scope.now)] };
    },
  },
);

const folderOf = ({ scope }: Pick<CallContext, "scope">, { lakeId }: Warehouse, { folder }: { folder: string }) => ({
  ...{ teamId: scope.teamId, lakeId, folder },
});

const hasTag = (header: string | null, tag: string): boolean =>
  (header ?? "").split(",").some((each) => each.trim().replace(/^W\//, "") === tag);
