// A statement can be run on the team's lake, and on the databases that are connected.

import { useQuery } from "@tanstack/react-query";
import { integrationsQuery } from "../../../api/integrations.ts";
import { useMay } from "../../../api/me.ts";
import { DIALECTS, type DatabaseKind } from "../text/dialects.ts";
import type { DataSource } from "./schema.ts";

const LAKE: DataSource = { integrationId: null, kind: "lake", name: "Lake", catalog: "LAKE" };
const isDatabase = (type: string): type is DatabaseKind => Object.hasOwn(DIALECTS, type) && type !== "lake";

export function useSources(): DataSource[] {
  const integrations = useQuery({ ...integrationsQuery, enabled: useMay("integrations:read"), staleTime: 60_000 });
  const connected = (integrations.data ?? []).flatMap(({ id, type, name }) =>
    isDatabase(type) ? [{ integrationId: id, kind: type, name }] : [],
  );
  return [LAKE, ...connected];
}

/** A source that is gone, or that may not be seen, is asked all the same: the platform says what is wrong. */
export const sourceOf = (sources: readonly DataSource[], integrationId: string | null): DataSource =>
  sources.find((source) => source.integrationId === integrationId) ??
  (integrationId === null ? LAKE : { integrationId, kind: "postgres", name: "Unknown database" });
