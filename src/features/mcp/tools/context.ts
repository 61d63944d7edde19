// The tools by which an agent learns what there is, before it asks.

import { z } from "@hono/zod-openapi";
import { ifMissing } from "../../../core/problem.ts";
import type { CatalogHit } from "../../catalog/search/hit.ts";
import { HIT_KINDS } from "../../catalog/search/hit.ts";
import type { LakeColumn, LakeTableDetail } from "../../catalog/table.ts";
import { showCube, type ModelCube } from "../../semantic/model-cube.ts";
import type { Me } from "../../teams/me.ts";
import type { OperationCalls } from "../operation-calls.ts";
import { tool } from "../tool.ts";
import { showKnowledge } from "./knowledge.ts";

type Integration = { id: string; name: string; type: string };

const GUIDE = [
  "Prefer semantic_query where a model has the measure: its definitions are the team's own.",
  "Otherwise search_catalog, describe_table, then run_sql in DuckDB's dialect: tables of the lake are LAKE.<schema>.<table>; a connected database is asked in its own dialect, with its integration_id.",
  "glossary says what the team means by its words. A verified query answers its questions as the team means them: take it, or change it as little as needed. Names under missing are gone.",
];

export const getContext = tool({
  name: "get_context",
  group: "context",
  title: "What there is",
  description:
    "Call first, with the question: what the team's words mean, verified queries, lakes, databases and semantic models.",
  input: z.strictObject({ question: z.string().optional() }),
  operations: ["getMe"],
  reads: true,
  async run(calls, { question }) {
    const { team, user, role } = await calls.call<Me>("getMe", {});
    const integrations = calls.permits("listIntegrations")
      ? (await calls.call<{ data: Integration[] }>("listIntegrations", {})).data
      : [];
    const models = integrations.filter(({ type }) => type === "cube");
    return {
      team: team.name,
      you: { name: user.name, role },
      now: calls.ctx.scope.now.toISOString(),
      guide: GUIDE,
      ...(calls.permits("getKnowledge") && (await showKnowledge(calls, question))),
      integrations: integrations.map(({ id, name, type }) => ({ id, name, type })),
      models: calls.permits("getSemanticMeta") ? await Promise.all(models.map((model) => outline(calls, model))) : [],
    };
  },
});

async function outline(calls: OperationCalls, { id, name }: Integration) {
  // There may be a model that nobody has put to its integration yet.
  const cubes = await cubesOf(calls, id).catch(ifMissing([]));
  const names = (members: readonly { name: string }[]) => members.map((member) => member.name);
  return {
    integration_id: id,
    name,
    cubes: cubes.map((cube) => ({ name: cube.name, description: cube.description, measures: names(cube.measures) })),
  };
}

export const cubesOf = async (calls: OperationCalls, integrationId: string): Promise<ModelCube[]> =>
  (await calls.call<{ cubes: unknown[] }>("getSemanticMeta", { params: { integration_id: integrationId } })).cubes.map(
    showCube,
  );

export const searchTool = tool({
  name: "search_catalog",
  group: "context",
  title: "Search",
  description:
    "Tables (by columns and comments too), model members, saved queries, docs and glossary terms, by a question's words.",
  input: z.strictObject({
    text: z.string(),
    kind: z.array(z.enum(HIT_KINDS)).optional(),
    limit: z.number().optional(),
  }),
  operations: ["searchCatalog"],
  reads: true,
  async run(calls, query) {
    const { items } = await calls.call<{ items: CatalogHit[] }>("searchCatalog", { query });
    return items.map(({ score: _, ...hit }) =>
      Object.fromEntries(Object.entries(hit).filter(([, value]) => value !== null && value !== false)),
    );
  },
});

export const describeTable = tool({
  name: "describe_table",
  group: "context",
  title: "Describe a table",
  description: "A lake table's columns: types, comments, NULLs, smallest and largest value.",
  input: z.strictObject({ integration_id: z.string(), schema: z.string(), table: z.string() }),
  operations: ["getLakeTable"],
  reads: true,
  async run(calls, { integration_id, schema, table }) {
    const params = { integration_id, schema_name: schema, table_name: table };
    const { schema_name, table_name, comment, row_count, last_change, columns } = await calls.call<LakeTableDetail>(
      "getLakeTable",
      { params },
    );
    const shown = columns.map(showColumn);
    return { name: `${schema_name}.${table_name}`, comment, row_count, changed_at: last_change.at, columns: shown };
  },
});

const showColumn = ({ name, type, comment, statistics }: LakeColumn) => ({
  ...{ name, type },
  ...(comment !== null && { comment }),
  ...(statistics && { min: statistics.min, max: statistics.max, has_nulls: statistics.contains_null }),
});
