// A query as SQL, by the dialect's query class, with what its answer's reader has to know of it.

import type { BaseQuery } from "@cubejs-backend/schema-compiler/dist/src/adapter/BaseQuery.js";
import { QueryCache } from "@cubejs-backend/schema-compiler/dist/src/adapter/QueryCache.js";
import type { SqlDialect } from "../../../../../kernel/semantic/model.ts";
import {
  filterMembers,
  type BoundValue,
  type SemanticQuery,
  type SemanticSql,
} from "../../../../../kernel/semantic/query.ts";
import { queryClassOf } from "../../dialects/query-class.ts";
import type { Compilers } from "./compile-model.ts";
import { isInherited, ModelError } from "./template.ts";

/** A dimension, a time dimension or a measure as Cube's query holds it. */
type Selected = {
  dimension?: string;
  measure?: string;
  granularityObj?: { granularity: string };
  selectColumns(): string[] | null;
  definition(): { type?: string };
};

/** Throws what Cube's planner throws: a UserError says what is wrong with the query. */
export function compileQuery(compilers: Compilers, dialect: SqlDialect, query: SemanticQuery): SemanticSql {
  refuseInherited(query);
  const built = new (queryClassOf(dialect))(withOwnCache(compilers), optionsOf(query));
  const [sql, values] = built.buildSqlAndParams() as [string, BoundValue[]];
  return { sql: sql.trim(), values, columns: columnsOf(built), ...built.joins() };
}

/** Cube looks members up in plain objects. Throws a {@link ModelError}. */
function refuseInherited({ measures, dimensions, segments, timeDimensions, filters }: SemanticQuery): void {
  const times = timeDimensions.flatMap(({ dimension, granularity = "" }) => [dimension, granularity]);
  for (const path of [...measures, ...dimensions, ...segments, ...times, ...filters.flatMap(filterMembers)]) {
    const name = path.split(".").find(isInherited);
    if (name !== undefined) throw new ModelError(`'${name}' not found for path '${path}'`);
  }
}

/** Cube keeps parts of a query's SQL by the query alone, whatever its dialect: here they go with the one query. */
function withOwnCache(compilers: Compilers) {
  const compilerCache = new OwnCache();
  const compiler = { compilerCache, withQuery: <T>(_query: unknown, work: () => T): T => work() };
  return { ...compilers, compiler, compilerCache };
}

/** Keeps the parts of the query or subquery that was planned last. Cube's own cache makes room for 10,000. */
class OwnCache extends QueryCache {
  #key = "";
  #parts = new QueryCache();

  getQueryCache(query: unknown): QueryCache {
    const key = JSON.stringify(query);
    if (key !== this.#key) [this.#key, this.#parts] = [key, new QueryCache()];
    return this.#parts;
  }
}

/** Ungrouped rows need no keys among their dimensions, as Cube has it where nobody sets that. */
function optionsOf({ limit, offset, ...query }: SemanticQuery): Record<string, unknown> {
  return { ...query, rowLimit: limit, offset, useNativeSqlPlanner: false, allowUngroupedWithoutPrimaryKey: true };
}

/** The columns in the order of the SELECT. */
function columnsOf(query: BaseQuery): SemanticSql["columns"] {
  const selected = query.forSelect() as unknown as Selected[];
  return selected
    .filter((member) => (member.selectColumns() ?? []).length > 0)
    .map((member) => {
      const granularity = member.granularityObj?.granularity;
      const name = member.measure ?? member.dimension ?? "";
      const isTime = granularity !== undefined || member.definition().type === "time";
      return { member: granularity === undefined ? name : `${name}.${granularity}`, kind: isTime ? "time" : "value" };
    });
}
