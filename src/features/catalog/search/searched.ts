// Each kind of what a search finds: who may search it, and what there is of it.

import { valueOf } from "../../../core/answer.ts";
import { INTEGRATION_LIMITS } from "../../integrations/limits.ts";
import { LIMITS } from "../../../core/limits.ts";
import { ifMissing } from "../../../core/problem.ts";
import type { Right } from "../../../core/scope.ts";
import type { Needs } from "../../../clients/context.ts";
import { listDocs } from "../../docs/list.ts";
import { listTermWords } from "../../glossary/list.ts";
import { listIntegrations } from "../../integrations/list.ts";
import { listSavedQueries } from "../../saved-queries/list.ts";
import { getSemanticMeta } from "../../semantic/get-meta.ts";
import { showCube } from "../../semantic/model-cube.ts";
import { openReadLake } from "../open-lake.ts";
import type { CatalogHit, HitKind } from "./hit.ts";
import { fieldsOfQuery, fieldsOfTerm, WEIGHTS } from "./fields.ts";
import { SEARCH_LIMITS } from "./limits.ts";
import type { Field } from "./rank.ts";

export type SearchDeps = Needs<"scope" | "db" | "openLake">;

/** Something that may be a hit: `fields` are what its words are looked for in. */
export type SearchedItem = Omit<CatalogHit, "score"> & { fields: Field[] };

type Searched = { right: Right; list(ctx: SearchDeps): Promise<SearchedItem[]> };

export const SEARCHED: Record<HitKind, Searched> = {
  table: { right: "catalog:read", list: (ctx) => inEach(ctx, "lake", tablesOf) },
  member: { right: "query", list: (ctx) => inEach(ctx, "cube", membersOf) },
  saved_query: { right: "query", list: findSavedQueries },
  doc: { right: "docs:read", list: findDocs },
  term: { right: "query", list: findTerms },
};

const NOTHING = { title: null, description: null, id: null, integration_id: null, columns: [], certified: false };
const FIRST_PAGE = { limit: SEARCH_LIMITS.savedMax, offset: 0 };

async function inEach(
  ctx: SearchDeps,
  type: "lake" | "cube",
  list: (ctx: SearchDeps, id: string) => Promise<SearchedItem[]>,
): Promise<SearchedItem[]> {
  const integrations = await listIntegrations(ctx, { type, limit: INTEGRATION_LIMITS.perTeamMax, offset: 0 });
  return (await Promise.all(integrations.map(({ id }) => list(ctx, id)))).flat();
}

async function tablesOf(ctx: SearchDeps, id: string): Promise<SearchedItem[]> {
  const { lake, reader } = await openReadLake(ctx, id);
  const browsed = valueOf(await lake.browseTables(LIMITS.catalogTablesMax, reader, SEARCH_LIMITS.columnsMax));
  const columnsOf = Map.groupBy(browsed.columns, ({ tableId }) => tableId);
  return browsed.tables.map(({ tableId, schema, name, comment }) => {
    const columns = columnsOf.get(tableId) ?? [];
    const fields = [
      { text: `${schema} ${name}`, weight: WEIGHTS.name },
      { text: comment ?? "", weight: WEIGHTS.description },
      ...columns.map((column) => ({ text: `${column.name} ${column.comment ?? ""}`, weight: WEIGHTS.column })),
    ];
    const shown = { name: `${schema}.${name}`, description: comment, columns: columns.map((column) => column.name) };
    return { ...NOTHING, kind: "table", ...shown, integration_id: id, fields };
  });
}

/** An integration whose model was not put to it yet has no members. */
async function membersOf(ctx: SearchDeps, id: string): Promise<SearchedItem[]> {
  const cubes = await getSemanticMeta(ctx, id).catch(ifMissing([]));
  return cubes.flatMap((entry) => {
    const { description: ofCube = "", measures, dimensions, segments } = showCube(entry);
    return [...measures, ...dimensions, ...segments].map((member): SearchedItem => {
      const { name, title = null, description = null } = member;
      const fields = [
        { text: name, weight: WEIGHTS.name },
        { text: title ?? "", weight: WEIGHTS.title },
        { text: `${description ?? ""} ${ofCube}`, weight: WEIGHTS.description },
      ];
      return { ...NOTHING, kind: "member", name, title, description, integration_id: id, fields };
    });
  });
}

async function findSavedQueries(ctx: SearchDeps): Promise<SearchedItem[]> {
  const { items } = await listSavedQueries(ctx, { words: [], archived: false }, FIRST_PAGE);
  return items.map((query) => {
    const { id, name, description, certified } = query;
    return { ...NOTHING, kind: "saved_query", name, description, id, certified, fields: fieldsOfQuery(query) };
  });
}

async function findTerms(ctx: SearchDeps): Promise<SearchedItem[]> {
  return (await listTermWords(ctx)).map((kept) => {
    const { id, term, definition } = kept;
    return { ...NOTHING, kind: "term", name: term, description: definition, id, fields: fieldsOfTerm(kept) };
  });
}

async function findDocs(ctx: SearchDeps): Promise<SearchedItem[]> {
  const { items } = await listDocs(ctx, { archived: false }, FIRST_PAGE);
  return items.map(({ id, name, description, kind }) => {
    const fields = [
      { text: `${name} ${kind}`, weight: WEIGHTS.name },
      { text: description ?? "", weight: WEIGHTS.description },
    ];
    return { ...NOTHING, kind: "doc", name, description, id, fields };
  });
}
