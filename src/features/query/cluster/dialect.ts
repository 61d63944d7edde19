// A statement in Trino's SQL becomes one in DuckDB's, which is what the engine runs on a lake.

import { WRITE_FORBIDDEN } from "../../../../kernel/wire/failure-text.ts";
import type { Needs } from "../../../clients/context.ts";
import { REQUEST_LIMITS } from "../../../http/request/limits.ts";
import { invalidAt, Problem } from "../../../core/problem.ts";
import { quoteIdentifier } from "../../../lake/format/names.ts";
import {
  catalogOf,
  openCatalog,
  schemaFinder,
  tableFinder,
  targetFinder,
  type OpenedCatalog,
} from "../../trino-sql/lake-tables.ts";
import { parseSql, type Statement } from "../../trino-sql/parse/parse-statement.ts";
import { Refusal, tooLong } from "../../trino-sql/refusal.ts";
import { refusing } from "../../trino-sql/refused.ts";
import type { Translated } from "../../trino-sql/translate/place.ts";
import { translate } from "../../trino-sql/translate/translate.ts";
import { translateWrite } from "../../trino-sql/translate/write/translate-write.ts";
import type { NewQuery } from "../query.ts";
import { mayWrite } from "../target.ts";

type Deps = Needs<"scope" | "db" | "openLake">;

/** Tables without a schema are where DuckDB's are. */
const SCHEMA = "main";

/** The query with its text in DuckDB's SQL. Throws `validation_failed` for what is not proven to mean the same. */
export async function inDuckDb<Query extends NewQuery>(ctx: Deps, query: Query): Promise<Query> {
  const { dialect, sql, integration_id: id } = query;
  if (dialect !== "trino" || sql === undefined) return query;
  const { catalog, statement } = await openTree(ctx, sql, id);
  const translated = await refusing(sql, async () => translateStatement(ctx, statement, catalog));
  return {
    ...query,
    sql: translated,
    ...(catalog.integrationId !== undefined && { integration_id: catalog.integrationId }),
  };
}

type RunnableStatement = Extract<Statement, { kind: "query" | "write" }>;

/** The statement's tree, and the lake that it is of. */
export const openTree = (
  ctx: Deps,
  sql: string,
  lakeId: string | undefined,
): Promise<{ statement: RunnableStatement; catalog: OpenedCatalog }> =>
  refusing(sql, async () => {
    const statement = parseSql(sql);
    if (statement.kind !== "query" && statement.kind !== "write") throw ofSession();
    if (statement.parameters > 0) throw new Refusal("INVALID_PARAMETER_USAGE", "Write values where the text has a ?.");
    const tree = statement.kind === "query" ? statement.query : statement.write;
    const catalog = await openCatalog(ctx, catalogOf(tree, { catalog: lakeId }) ?? lakeId);
    if (lakeId !== undefined && catalog.lakeId !== lakeId.toLowerCase())
      throw invalidAt("/integration_id", "The text names another lake.");
    return { statement, catalog };
  });

const ofSession = (): Refusal =>
  new Refusal(
    "NOT_SUPPORTED",
    "Here statements read or write. What looks around, or is of a session, is for /v1/statement.",
    0,
  );

/** Names that do not say it are of this lake. */
export const namesOf = ({ catalog }: OpenedCatalog) => ({ catalog, schema: SCHEMA });

function translateStatement({ scope }: Deps, statement: RunnableStatement, catalog: OpenedCatalog): string {
  const names = namesOf(catalog);
  const means = {
    findTable: tableFinder(catalog, names),
    constants: { now: scope.now, timeZone: "UTC", user: scope.userName, ...names },
    parameters: [],
  };
  const sql =
    statement.kind === "query"
      ? named(translate(statement.query, means))
      : translateWrite(requireWriter(scope, catalog, statement), {
          ...means,
          findTarget: targetFinder(catalog, names),
          findSchema: schemaFinder(catalog, names),
        });
  if (sql.length > REQUEST_LIMITS.sqlCharactersMax) throw tooLong();
  return sql;
}

function requireWriter(
  scope: Deps["scope"],
  { access }: OpenedCatalog,
  { write }: Extract<Statement, { kind: "write" }>,
) {
  if (!mayWrite(scope, access)) throw new Problem("forbidden_insufficient_permissions", WRITE_FORBIDDEN);
  return write;
}

/** The rows by the names that their columns have in Trino. */
function named({ sql, columns }: Translated): string {
  const shown = columns.map(({ name }, i) => `q.c${i} AS ${quoteIdentifier(name ?? `_col${i}`)}`);
  return `SELECT ${shown.join(", ")} FROM (${sql}) AS q`;
}
