// An integration has dependents, told in words: who deletes it should know. Pure.

import type { components } from "../../api/schema.d.ts";
import type { Integration } from "./forms.ts";

type Sync = components["schemas"]["SyncSummary"];

export type Dependents = {
  syncsFrom: readonly Sync[];
  syncsInto: readonly Sync[];
  layers: readonly Integration[];
  clusters: readonly Integration[];
};

export function dependentsOf(id: string, syncs: readonly Sync[], integrations: readonly Integration[]): Dependents {
  return {
    syncsFrom: syncs.filter((sync) => sync.integration_id === id),
    syncsInto: syncs.filter((sync) => sync.dest_integration_id === id),
    layers: integrations.filter(({ type, details }) => type === "cube" && details.integration_id === id),
    clusters: integrations.filter(({ type, details }) => type === "trino" && details["lake_id"] === id),
  };
}

export function dependentsText({ syncsFrom, syncsInto, layers, clusters }: Dependents): string {
  const parts = [
    counted(syncsFrom.length, "sync from it", "syncs from it"),
    counted(syncsInto.length, "sync into it", "syncs into it"),
    counted(layers.length, "semantic layer", "semantic layers"),
    counted(clusters.length, "Trino of your own", "Trinos of your own"),
  ].filter((part) => part !== "");
  return parts.join(", ");
}

const counted = (count: number, one: string, many: string): string =>
  count === 0 ? "" : `${count} ${count === 1 ? one : many}`;
