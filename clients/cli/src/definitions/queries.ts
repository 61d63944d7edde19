// Saved queries: one YAML file each.

import { itemsOf, type components } from "../../../typescript/src/client.ts";
import { collect } from "../output/list.ts";
import { slugOf, YAML_ENDINGS, type Definition, type DefinitionKind, type Names } from "./kind.ts";
import { fromYaml, mapMember, textMember, toYaml, withoutDefaults } from "./yaml-text.ts";

type Detail = components["schemas"]["SavedQueryDetail"];
type NewSavedQuery = components["schemas"]["NewSavedQuery"];

const MEMBERS = ["name", "description", "tags", "questions", "integration", "parameters", "sql", "cube_query"];
const DEFAULTS = { description: null, tags: [], questions: [], integration: null, parameters: {} };
const PARAMETER_DEFAULTS = { list: false, description: null, nullable: false };

/** The text of a query, whether its parameters say their defaults or not. */
const textOf = (query: object): string => {
  const { parameters } = { ...DEFAULTS, ...query } as { parameters: Record<string, object> };
  const shown = Object.entries(parameters).map(([name, each]) => [name, withoutDefaults(each, PARAMETER_DEFAULTS)]);
  return toYaml({ ...query, parameters: Object.fromEntries(shown) }, MEMBERS, DEFAULTS);
};

function toDefinition(detail: Detail, names: Names): Definition {
  const { id, name, version, description, tags, questions, parameters, sql, cube_query: cubeQuery } = detail;
  const integration = detail.integration_id === null ? null : names.nameOf(detail.integration_id);
  const value = { name, description, tags, questions, integration, parameters, sql, cube_query: cubeQuery };
  return { id, name, version, files: { [`${slugOf(name)}.yaml`]: textOf(value) } };
}

function bodyOf(files: Definition["files"], names: Names): NewSavedQuery {
  const { integration, ...rest } = { ...DEFAULTS, ...fromYaml(files) } as Record<string, unknown>;
  const integrationId = typeof integration === "string" ? names.idOf(integration) : null;
  return { ...(rest as unknown as NewSavedQuery), integration_id: integrationId };
}

export const queries: DefinitionKind = {
  endings: YAML_ENDINGS,
  place: "file",
  async list({ fjord, names }) {
    const found = await collect(itemsOf((query) => fjord.api.GET("/v4/queries", { params: { query } })));
    const definitions: Definition[] = [];
    for (const { id } of found) {
      const { data } = await fjord.api.GET("/v4/queries/{query_id}", { params: { path: { query_id: id } } });
      definitions.push(toDefinition(data!.data, names));
    }
    return definitions;
  },
  nameOf: (files) => textMember(files, "name"),
  normalise: (_team, files) => ({
    [Object.keys(files)[0]!]: textOf({ ...fromYaml(files), parameters: mapMember(files, "parameters") }),
  }),
  async create({ fjord, names }, files) {
    return (await fjord.api.POST("/v4/queries", { body: bodyOf(files, names) })).data!.data;
  },
  async update({ fjord, names }, { id, version }, files) {
    const { sql, cube_query: cubeQuery, ...rest } = bodyOf(files, names);
    const body = { ...rest, ...(sql !== undefined && { sql }), ...(cubeQuery && { cube_query: cubeQuery }) };
    const params = { path: { query_id: id }, header: { "If-Match": `"${version}"` } };
    return (await fjord.api.PATCH("/v4/queries/{query_id}", { params, body })).data!.data;
  },
};
