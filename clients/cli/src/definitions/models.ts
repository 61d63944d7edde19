// Semantic models: a folder for each cube integration, with the model's files.

import { FjordProblem, type Fjord } from "../../../typescript/src/client.ts";
import { listIntegrations } from "../commands/find-integration.ts";
import {
  definitionOf,
  slugOf,
  YAML_ENDINGS,
  type Definition,
  type DefinitionKind,
  type Files,
  type Team,
} from "./kind.ts";

type Model = { version: number; files: { path: string; content: string }[] };

/** Undefined where nobody has saved one yet. */
async function fetchModel(fjord: Fjord, integrationId: string): Promise<Model | undefined> {
  const params = { path: { integration_id: integrationId } };
  const headers = { accept: "application/json" };
  try {
    const { data } = await fjord.api.GET("/v1/api/integrations/{integration_id}/model", { params, headers });
    return (data as Exclude<typeof data, string>)!.model;
  } catch (error) {
    if (error instanceof FjordProblem && error.status === 404) return undefined;
    throw error;
  }
}

async function save({ fjord }: Team, id: string, [files, version]: [Files, number | undefined]) {
  const params = { path: { integration_id: id }, header: version === undefined ? {} : { "If-Match": `"${version}"` } };
  const list = Object.entries(files).map(([path, content]) => ({ path: path.split("/").slice(1).join("/"), content }));
  const { data } = await fjord.api.PUT("/v1/api/integrations/{integration_id}/model", {
    params,
    body: { files: list },
  });
  return { id, version: data!.model.version };
}

const folderOf = (files: Files): string => definitionOf(Object.keys(files)[0]!);

export const models: DefinitionKind = {
  endings: YAML_ENDINGS,
  place: "folder",
  async list({ fjord }) {
    const cubes = (await listIntegrations(fjord)).filter(({ type }) => type === "cube");
    const definitions: Definition[] = [];
    for (const { id, name } of cubes) {
      const model = await fetchModel(fjord, id);
      if (!model) continue;
      const folder = slugOf(name);
      const files = Object.fromEntries(model.files.map(({ path, content }) => [`${folder}/${path}`, content]));
      definitions.push({ id, name: folder, version: model.version, files });
    }
    return definitions;
  },
  nameOf: folderOf,
  normalise: (_team, files) => files,
  create: (team, files) => save(team, team.names.idOf(folderOf(files)), [files, undefined]),
  update: (team, { id, version }, files) => save(team, id, [files, version]),
};
