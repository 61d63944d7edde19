// EXPLAIN shows DuckDB's plan of the query as it is translated, or that the query may run here.

import { TRINO_LIMITS } from "../limits.ts";
import { Problem } from "../../../core/problem.ts";
import { endQueryOf } from "../../query/cancel.ts";
import type { Statement } from "../../trino-sql/parse/parse-statement.ts";
import type { Expression } from "../../trino-sql/parse/tree.ts";
import { unsupported } from "../../trino-sql/refusal.ts";
import { encodeQuery } from "../../trino-sql/translate/encode.ts";
import { BOOLEAN, VARCHAR } from "../../trino-sql/trino-types.ts";
import { answerRows } from "../answer.ts";
import { requireRunnable, requireShort, requireValues, type Exchange } from "../exchange.ts";
import { runFirst } from "../first-answer.ts";
import { AFTER_ROW } from "../rows.ts";
import { openCatalogOf, translateSql } from "../translated-query.ts";
import { isShow, queryOfShow } from "./look-around.ts";

const PLAN_SECONDS = TRINO_LIMITS.planWaitMs / 1_000;

type Explain = Extract<Statement, { kind: "explain" }>;

export async function explainQuery(
  asked: Exchange,
  { of, isValidation, at }: Explain,
  values: readonly Expression[],
): Promise<Response> {
  const query = of.kind === "query" ? of : isShow(of) ? queryOfShow(of, asked.session) : undefined;
  if (!query) throw unsupported("EXPLAIN of anything but a query", at);
  requireValues(query, values);
  const catalog = await openCatalogOf(asked, query);
  const translated = translateSql(asked, query, { catalog, values });
  const { sql } = translated;
  // A query that its encoding would refuse is refused here, too.
  requireShort(encodeQuery(translated, asked.session.digitsMax).sql);
  if (isValidation) return answerRows(asked, { Valid: BOOLEAN }, [[true]]);
  await requireRunnable(asked.ctx);
  const begun = await runFirst(
    asked,
    // The engine refuses the plan of a table of which the caller sees some rows or cells.
    {
      sql: `EXPLAIN SELECT * FROM (${sql}) AS q`,
      isTranslated: true,
      reads: catalog,
      planFallback: async () => undefined,
    },
    TRINO_LIMITS.planWaitMs,
  );
  if (begun.kind === "running") {
    const { scope } = asked.ctx;
    await endQueryOf(asked.ctx, { teamId: scope.teamId, id: begun.query.id }, new Date());
    throw new Problem("query_timeout", `The plan is too long to be shown, or took longer than ${PLAN_SECONDS} s.`);
  }
  return answerRows(asked, { "Query Plan": VARCHAR }, [[planOf(begun.rows)]]);
}

/** Each row is a plan's name and its text. */
function planOf(rows: string): string {
  const plans = JSON.parse(`[${rows.slice(0, -AFTER_ROW)}]`) as [string, string][];
  return ["This is DuckDB's plan of the query as it is translated.", ...plans.map(([, plan]) => plan)].join("\n");
}
