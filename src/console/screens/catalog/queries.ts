// The catalog's screen asks the API for these.

import { queryOptions } from "@tanstack/react-query";
import { api, dataOf } from "../../api/client.ts";
import { integrationsQuery, type Integration } from "../../api/integrations.ts";

const SNAPSHOTS_MAX = 200;
const PROFILE_KEPT_MS = 300_000;

export type TablePlace = { integrationId: string; schema: string; table: string };

const pathOf = ({ integrationId, schema, table }: TablePlace) => ({
  integration_id: integrationId,
  schema_name: schema,
  table_name: table,
});

export const tableHref = ({ integrationId, schema, table }: TablePlace): string =>
  `/catalog/${[integrationId, schema, table].map(encodeURIComponent).join("/")}`;

export const lakesQuery = queryOptions({
  ...integrationsQuery,
  select: (all: Integration[]) => all.filter(({ type }) => type === "lake"),
});

export const tablesQuery = (integrationId: string) =>
  queryOptions({
    queryKey: ["catalog", integrationId, "tables"],
    queryFn: () =>
      dataOf(
        api.GET("/v4/catalog/integrations/{integration_id}/tables", {
          params: { path: { integration_id: integrationId } },
        }),
      ),
  });

export const tableQuery = (place: TablePlace) =>
  queryOptions({
    queryKey: ["catalog", place.integrationId, "table", place.schema, place.table],
    queryFn: () =>
      dataOf(
        api.GET("/v4/catalog/integrations/{integration_id}/tables/{schema_name}/{table_name}", {
          params: { path: pathOf(place) },
        }),
      ),
  });

export const snapshotsQuery = (place: TablePlace) =>
  queryOptions({
    queryKey: ["catalog", place.integrationId, "snapshots", place.schema, place.table],
    queryFn: () =>
      dataOf(
        api.GET("/v4/catalog/integrations/{integration_id}/tables/{schema_name}/{table_name}/snapshots", {
          params: { path: pathOf(place), query: { limit: SNAPSHOTS_MAX } },
        }),
      ),
  });

export const lineageQuery = (integrationId: string) =>
  queryOptions({
    queryKey: ["catalog", integrationId, "lineage"],
    queryFn: () =>
      dataOf(
        api.GET("/v4/catalog/integrations/{integration_id}/lineage", {
          params: { path: { integration_id: integrationId } },
        }),
      ),
  });

export const columnLineageQuery = (place: TablePlace) =>
  queryOptions({
    queryKey: ["catalog", place.integrationId, "lineage", place.schema, place.table],
    queryFn: () =>
      dataOf(
        api.GET("/v4/catalog/integrations/{integration_id}/tables/{schema_name}/{table_name}/lineage", {
          params: { path: pathOf(place) },
        }),
      ),
    retry: false,
  });

export const profileQuery = (place: TablePlace, column: string, snapshotId: number) =>
  queryOptions({
    queryKey: ["catalog", place.integrationId, "profile", place.schema, place.table, column, snapshotId],
    queryFn: () =>
      dataOf(
        api.GET(
          "/v4/catalog/integrations/{integration_id}/tables/{schema_name}/{table_name}/columns/{column_name}/profile",
          { params: { path: { ...pathOf(place), column_name: column } } },
        ),
      ),
    staleTime: PROFILE_KEPT_MS,
  });
