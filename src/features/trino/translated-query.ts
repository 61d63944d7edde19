// A query of one of Trino's clients in DuckDB's SQL, for the lake that it names.

import type { Expression } from "../trino-sql/parse/tree.ts";
import type { Statement } from "../trino-sql/parse/parse-statement.ts";
import type { Translated } from "../trino-sql/translate/place.ts";
import { translate } from "../trino-sql/translate/translate.ts";
import { catalogOf, openCatalog, tableFinder, type OpenedCatalog } from "../trino-sql/lake-tables.ts";
import { constantsOf, type Exchange } from "./exchange.ts";

export type QueryStatement = Extract<Statement, { kind: "query" }>;

export const openCatalogOf = ({ ctx, session }: Exchange, { query }: QueryStatement): Promise<OpenedCatalog> =>
  openCatalog(ctx, catalogOf(query, session), query);

/** Without `values` of its parameters the query is only described. */
export function translateSql(
  { ctx, session }: Exchange,
  { query }: QueryStatement,
  { catalog, values }: { catalog: OpenedCatalog; values: readonly Expression[] | undefined },
): Translated {
  const constants = constantsOf(ctx.scope, session, catalog);
  return translate(query, { findTable: tableFinder(catalog, session), constants, parameters: values });
}
