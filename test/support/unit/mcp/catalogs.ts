// Two catalogs to search in: ACME's tables and model as they are published, and those of an invented shop.

import { env } from "cloudflare:workers";
import { expect } from "vitest";
import type { CompiledModel, SemanticModel } from "../../../../kernel/semantic/model.ts";
import type { LakeChange } from "../../../../kernel/lake/commit.ts";
import { openLake } from "../../../../src/lake/lake.ts";
import acmeModel from "../../agents/acme/model.yml?raw";
import acmeTables from "../../agents/acme/tables.json" with { type: "json" };
import nordwindModel from "../../agents/nordwind/model.yml?raw";
import nordwindQueries from "../../agents/nordwind/saved-queries.txt?raw";
import nordwindTables from "../../agents/nordwind/tables.txt?raw";
import { call } from "../http.ts";
import { column, createTable, newWriter } from "../lake.ts";
import { addCube, EMPTY_META, newCompiler, ownLakeOf } from "../semantic/models.ts";
import type { TestTeam } from "../team.ts";

type Column = { name: string; comment?: string | undefined };
type Table = { schema: string; name: string; comment: string; columns: Column[] };

/** `schema.table | comment | column column(comment)` */
function readTable(line: string): Table {
  const [path = "", comment = "", columns = ""] = line.split("|").map((part) => part.trim());
  const [schema = "", name = ""] = path.split(".");
  const read = [...columns.matchAll(/(\w+)(?:\(([^)]*)\))?/g)].map(([, of = "", said]) => ({
    name: of,
    comment: said,
  }));
  return { schema, name, comment, columns: read };
}

const linesOf = (text: string): string[] => text.split("\n").filter((line) => line.trim() !== "");

export const TABLES: readonly Table[] = [
  ...Object.entries(acmeTables as Record<string, { columns: string[][] }>).map(([name, { columns }]) => ({
    schema: "acme",
    name,
    comment: "",
    columns: columns.map(([of = ""]) => ({ name: of })),
  })),
  ...linesOf(nordwindTables).map(readTable),
];

function commentsOf({ schema, name, comment, columns }: Table): LakeChange[] {
  const ofColumns = columns.flatMap((one, i) => (one.comment ? [{ columnId: i + 1, comment: one.comment }] : []));
  const comments = [...(comment === "" ? [] : [{ columnId: null, comment }]), ...ofColumns];
  return comments.length === 0 ? [] : [{ kind: "set_comments", schema, name, comments }];
}

/** A name as Cube makes a title of it. */
const titleOf = (name: string): string =>
  name.replaceAll("_", " ").replaceAll(/\b\w/g, (letter) => letter.toUpperCase());

type Member = { name: string; title?: string; description?: string; type?: string; primary_key?: boolean };

/** The meta of a model as the engine makes it, as far as a search reads it. */
export const metaOf = ({ cubes }: SemanticModel): CompiledModel["meta"] =>
  cubes.map((cube) => {
    const isPublic = cube["public"] !== false;
    const listed = (members: unknown) =>
      ((members ?? []) as Member[]).map(({ name, title, description, type, primary_key }) => ({
        name: `${cube.name}.${name}`,
        title: `${titleOf(cube.name)} ${title ?? titleOf(name)}`,
        ...(description !== undefined && { description }),
        ...(type !== undefined && { type }),
        isVisible: isPublic && primary_key !== true,
      }));
    return {
      ...EMPTY_META,
      name: cube.name,
      description: cube["description"],
      isVisible: isPublic,
      measures: listed(cube["measures"]),
      dimensions: listed(cube["dimensions"]),
      segments: listed(cube["segments"]),
    };
  });

/** Fills the team's lake, puts both models to integrations of their own, and saves the queries. */
export async function addCatalogs(team: TestTeam): Promise<void> {
  const lakeId = await ownLakeOf(team);
  const writer = await newWriter({ teamId: team.id, lakeId, catalog: openLake(env, lakeId) });
  const columnsOf = (columns: Column[]) => columns.map(({ name }, i) => column(i + 1, name, "varchar"));
  await writer.commit(TABLES.map(({ schema, name, columns }) => createTable(schema, name, columnsOf(columns))));
  await writer.commit(TABLES.flatMap(commentsOf));
  const compiler = newCompiler((model) => ({ meta: metaOf(model) }));
  for (const [path, content] of Object.entries({ "acme.yml": acmeModel, "nordwind.yml": nordwindModel })) {
    const put = await compiler.put(team, await addCube(team, lakeId), [{ path, content }]);
    expect(put.status, JSON.stringify(put.body)).toBe(200);
  }
  for (const line of linesOf(nordwindQueries)) {
    const [name, description] = line.split(" | ");
    const body = { name, description, sql: "SELECT 1" };
    expect((await call("POST", "/v4/queries", { key: team.admin.key, body })).status).toBe(201);
  }
}
