// Data-access roles: one YAML file each. Who their members are is no part of them.

import { itemsOf, type components } from "../../../typescript/src/client.ts";
import { collect } from "../output/list.ts";
import { slugOf, YAML_ENDINGS, type Definition, type DefinitionKind, type Names } from "./kind.ts";
import { fromYaml, mapsMember, textMember, toYaml, withoutDefaults } from "./yaml-text.ts";

type Role = components["schemas"]["AccessRole"];
type NewRole = components["schemas"]["NewAccessRole"];
type Grant = components["schemas"]["AccessGrant"];
type NamedGrant = Omit<Grant, "integration_id"> & { integration: string };

const MEMBERS = ["name", "description", "grants"];
const DEFAULTS = { description: null, grants: [] };
const GRANT_DEFAULTS = { table: "*", exclude_columns: [], masks: {}, filters: [] };

/** The text of a role, whether its grants say their defaults or not. */
const textOf = (role: object): string => {
  const { grants = [] } = role as { grants?: object[] };
  return toYaml({ ...role, grants: grants.map((each) => withoutDefaults(each, GRANT_DEFAULTS)) }, MEMBERS, DEFAULTS);
};

const toNamed = ({ integration_id: id, ...rest }: Grant, names: Names): NamedGrant => ({
  integration: names.nameOf(id),
  ...rest,
});

function toDefinition({ id, name, version, description, grants }: Role, names: Names): Definition {
  const value = { name, description, grants: grants.map((grant) => toNamed(grant, names)) };
  return { id, name, version, files: { [`${slugOf(name)}.yaml`]: textOf(value) } };
}

function bodyOf(files: Definition["files"], names: Names): NewRole {
  const rest = { ...DEFAULTS, ...fromYaml(files) };
  const grants = mapsMember(files, "grants") as NamedGrant[];
  const toGrant = ({ integration, ...grant }: NamedGrant): Grant => ({
    integration_id: names.idOf(integration),
    ...grant,
  });
  return { ...(rest as unknown as NewRole), grants: grants.map(toGrant) };
}

export const roles: DefinitionKind = {
  endings: YAML_ENDINGS,
  place: "file",
  async list({ fjord, names }) {
    const found = await collect(itemsOf((query) => fjord.api.GET("/v4/data-access/roles", { params: { query } })));
    return found.map((role) => toDefinition(role, names));
  },
  nameOf: (files) => textMember(files, "name"),
  normalise: (_team, files) => ({
    [Object.keys(files)[0]!]: textOf({ ...fromYaml(files), grants: mapsMember(files, "grants") }),
  }),
  async create({ fjord, names }, files) {
    return (await fjord.api.POST("/v4/data-access/roles", { body: bodyOf(files, names) })).data!.data;
  },
  async update({ fjord, names }, { id, version }, files) {
    const params = { path: { role_id: id }, header: { "If-Match": `"${version}"` } };
    const body = bodyOf(files, names);
    return (await fjord.api.PATCH("/v4/data-access/roles/{role_id}", { params, body })).data!.data;
  },
};
