// Syncs: one YAML file each. What is paused stays so: whether a sync is paused is no part of its definition.

import { itemsOf, type components } from "../../../typescript/src/client.ts";
import { collect } from "../output/list.ts";
import { slugOf, YAML_ENDINGS, type Definition, type DefinitionKind, type Names } from "./kind.ts";
import { fromYaml, textMember, toYaml } from "./yaml-text.ts";

type Config = components["schemas"]["SyncConfig"];
type NewSync = components["schemas"]["NewSync"];

const MEMBERS = ["source", "schema", "lake", "schedule", "cron", "timezone", "load_method", "tables", "cursors"];
const DEFAULTS = { cron: null, timezone: null, load_method: "merge", cursors: {}, append_full_rows: false };

const nameOf = (source: string, schema: string): string => `${source} into ${schema}`;

function toDefinition(config: Config, names: Names): Definition {
  const [source, schema] = [names.nameOf(config.integration_id), config.dest_schema];
  const { schedule, cron, timezone, tables, load_method, cursors, append_full_rows } = config;
  const lake = names.nameOf(config.dest_integration_id);
  // What is in force is one of the two: a schedule, or a cron expression in its place.
  const value = { source, schema, lake, schedule, cron, timezone, load_method, tables, cursors, append_full_rows };
  const [name, text] = [nameOf(source, schema), toYaml(value, MEMBERS, DEFAULTS)];
  return { id: config.id, name, version: config.version, files: { [`${slugOf(name)}.yaml`]: text } };
}

function bodyOf(files: Definition["files"], names: Names): [sourceId: string, body: NewSync] {
  const { source, schema, lake, ...rest } = fromYaml(files) as { source: string; schema: string; lake?: string };
  const sync = { ...(rest as unknown as NewSync), dest_schema: schema };
  const lakeId = lake === undefined ? {} : { dest_integration_id: names.idOf(lake) };
  return [names.idOf(source), { ...sync, ...lakeId }];
}

export const syncs: DefinitionKind = {
  endings: YAML_ENDINGS,
  place: "file",
  async list({ fjord, names }) {
    const found = await collect(itemsOf((query) => fjord.api.GET("/v1/api/syncs", { params: { query } })));
    const definitions: Definition[] = [];
    for (const { integration_id, dest_schema, dest_integration_id } of found) {
      const params = { path: { integration_id }, query: { dest_schema, dest_integration_id } };
      const { data } = await fjord.api.GET("/v1/api/integrations/{integration_id}/sync", { params });
      definitions.push(toDefinition(data!.sync_config, names));
    }
    return definitions;
  },
  nameOf: (files) => nameOf(textMember(files, "source"), textMember(files, "schema")),
  normalise: (_team, files) => ({ [Object.keys(files)[0]!]: toYaml(fromYaml(files), MEMBERS, DEFAULTS) }),
  async create({ fjord, names }, files) {
    const [id, body] = bodyOf(files, names);
    const params = { path: { integration_id: id } };
    return (await fjord.api.POST("/v1/api/integrations/{integration_id}/sync", { params, body })).data!.sync_config;
  },
  async update({ fjord, names }, { version }, files) {
    const [id, body] = bodyOf(files, names);
    const params = { path: { integration_id: id }, header: { "If-Match": `"${version}"` } };
    return (await fjord.api.POST("/v1/api/integrations/{integration_id}/sync", { params, body })).data!.sync_config;
  },
};
