// Docs: the YAML or JSON text of each, as it was saved.

import { collect } from "../output/list.ts";
import { itemsOf, type Fjord } from "../../../typescript/src/client.ts";
import { UsageError } from "../exit-codes.ts";
import { onlyFile, slugOf, YAML_ENDINGS, type Definition, type DefinitionKind, type Files } from "./kind.ts";
import { fromYaml } from "./yaml-text.ts";

const JSON_TYPE = "application/json";
const YAML_TYPE = "application/yaml";

const typeOf = (files: Files): string => (Object.keys(files)[0]!.endsWith(".json") ? JSON_TYPE : YAML_TYPE);

async function fetchDoc(fjord: Fjord, id: string): Promise<Definition> {
  const headers = { accept: JSON_TYPE };
  const { data } = await fjord.api.GET("/v4/docs/{doc_id}", { params: { path: { doc_id: id } }, headers });
  // The operation answers YAML, too, as texts; with the header it is this document.
  const { name, version, media_type: type, text } = (data as Exclude<typeof data, string>)!.data;
  return { id, name, version, files: { [`${slugOf(name)}${type === JSON_TYPE ? ".json" : ".yaml"}`]: text } };
}

async function save(fjord: Fjord, path: string, init: { method: string; files: Files; version?: number }) {
  const { method, files, version } = init;
  const headers = { "content-type": typeOf(files), ...(version !== undefined && { "if-match": `"${version}"` }) };
  const response = await fjord.request(path, { method, headers, body: onlyFile(files) });
  return ((await response.json()) as { data: { id: string; version: number } }).data;
}

export const docs: DefinitionKind = {
  endings: [...YAML_ENDINGS, ".json"],
  place: "file",
  async list({ fjord }) {
    const found = await collect(itemsOf((query) => fjord.api.GET("/v4/docs", { params: { query } })));
    const definitions: Definition[] = [];
    for (const { id } of found) definitions.push(await fetchDoc(fjord, id));
    return definitions;
  },
  nameOf(files) {
    const { metadata } = fromYaml(files) as { metadata?: { name?: unknown } | null };
    const name = metadata?.name;
    if (typeof name !== "string") throw new UsageError(`${Object.keys(files)[0]}: metadata.name has to be a text.`);
    return name;
  },
  normalise: ({ names }, files) =>
    Object.fromEntries(Object.entries(files).map(([path, text]) => [path, names.withOwnIds(text)])),
  create: ({ fjord }, files) => save(fjord, "/v4/docs", { method: "POST", files }),
  update: ({ fjord }, { id, version }, files) => save(fjord, `/v4/docs/${id}`, { method: "PUT", files, version }),
};
