// The lake's screen asks the API for these.

import { queryOptions } from "@tanstack/react-query";
import { api, dataOf } from "../../api/client.ts";
import type { components } from "../../api/schema.d.ts";

type Schemas = components["schemas"];
export type MaintenanceKind = Schemas["MaintenanceRequest"]["kind"];
export type Maintenance = Schemas["Maintenance"];

const BUSY_MS = 2_000;
const IDLE_MS = 30_000;

export const pathOf = (integrationId: string) => ({ path: { integration_id: integrationId } });

export const healthListQuery = queryOptions({
  queryKey: ["lake", "health"],
  queryFn: () => dataOf(api.GET("/v4/admin/lake/health", { params: { query: { limit: 100 } } })),
});

export const healthQuery = (integrationId: string) =>
  queryOptions({
    queryKey: ["lake", "health", integrationId],
    queryFn: () => dataOf(api.GET("/v4/admin/lake/health/{integration_id}", { params: pathOf(integrationId) })),
    refetchInterval: IDLE_MS,
  });

export const storageQuery = (integrationId: string) =>
  queryOptions({
    queryKey: ["lake", "storage", integrationId],
    queryFn: () => dataOf(api.GET("/v4/admin/lake/storage/{integration_id}", { params: pathOf(integrationId) })),
  });

export const isActive = ({ state }: Pick<Maintenance, "state">): boolean => state === "queued" || state === "running";

export const maintenanceQuery = (integrationId: string) =>
  queryOptions({
    queryKey: ["lake", "maintenance", integrationId],
    queryFn: () => dataOf(api.GET("/v4/admin/lake/maintenance/{integration_id}", { params: pathOf(integrationId) })),
    refetchInterval: ({ state }) => (state.data && isActive(state.data) ? BUSY_MS : IDLE_MS),
  });

export const schedulesQuery = queryOptions({
  queryKey: ["lake", "schedules"],
  queryFn: () => dataOf(api.GET("/v4/admin/lake/maintenance/schedules")),
});
