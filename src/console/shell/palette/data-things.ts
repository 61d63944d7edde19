// The palette finds integrations, syncs, tables of the team's own lake, and files of the drive.

import type { QueryClient } from "@tanstack/react-query";
import { api, bodyOf, dataOf } from "../../api/client.ts";
import { integrationsQuery } from "../../api/integrations.ts";
import type { Right } from "../../api/me.ts";
import { wordsFinder } from "../../ui/data/words.ts";
import type { ThingSource } from "./targets.ts";
import type { Target } from "./targets.ts";

const FOUND_MAX = 20;
const ALL_MAX = 1_000;
const KEPT_MS = 30_000;

/** Three sources find among them, and ask once. */
const listIntegrations = (cache: QueryClient) => cache.fetchQuery({ ...integrationsQuery, staleTime: KEPT_MS });

/** A source that lists all there is, and finds here. The palette ranks what it is given. */
const listed = (
  name: string,
  rights: readonly Right[],
  list: (cache: QueryClient) => Promise<Target[]>,
): ThingSource => ({
  name,
  rights,
  async find(text, cache) {
    const isFound = wordsFinder(text);
    const targets = await list(cache);
    return targets.filter(({ title, kind }) => isFound(`${title} ${kind}`)).slice(0, FOUND_MAX);
  },
});

export const DATA_SOURCES: readonly ThingSource[] = [
  listed("integrations", ["integrations:read"], async (cache) =>
    (await listIntegrations(cache)).map(({ id, name }) => ({
      title: name,
      path: `/integrations/${id}`,
      icon: "integration",
      kind: "Integration",
    })),
  ),
  listed("semantic models", ["query", "integrations:read"], async (cache) =>
    (await listIntegrations(cache))
      .filter(({ type }) => type === "cube")
      .map(({ id, name }) => ({ title: name, path: `/explore?in=${id}`, icon: "explore", kind: "Explore" })),
  ),
  listed("syncs", ["integrations:read"], async () => {
    const { data } = await bodyOf(api.GET("/v1/api/syncs", { params: { query: { limit: ALL_MAX } } }));
    return data.map(({ integration_id, source_name, dest_schema }) => ({
      title: `${source_name ?? "Gone"} into ${dest_schema}`,
      path: `/syncs/${integration_id}?schema=${encodeURIComponent(dest_schema)}`,
      icon: "sync",
      kind: "Sync",
    }));
  }),
  listed("tables", ["catalog:read", "integrations:read"], async (cache) => {
    const lake = (await listIntegrations(cache)).find(({ is_default }) => is_default);
    if (!lake) return [];
    const path = { integration_id: lake.id };
    const { items } = await dataOf(api.GET("/v4/catalog/integrations/{integration_id}/tables", { params: { path } }));
    return items.map(({ schema_name, table_name }) => ({
      title: `${schema_name}.${table_name}`,
      path: `/catalog/${[lake.id, schema_name, table_name].map(encodeURIComponent).join("/")}`,
      icon: "table",
      kind: "Table",
    }));
  }),
  {
    name: "files",
    rights: ["drive"],
    /** The drive finds files by how their paths begin. */
    async find(text) {
      if (text === "") return [];
      const { files } = await bodyOf(
        api.GET("/v3/drive/files", { params: { query: { prefix: text, limit: FOUND_MAX } } }),
      );
      return files.map(({ path }) => {
        const folder = path.slice(0, path.lastIndexOf("/") + 1);
        const query = new URLSearchParams({ ...(folder && { path: folder }), file: path });
        return { title: path, path: `/drive?${query}`, icon: "file", kind: "File" };
      });
    },
  },
];
