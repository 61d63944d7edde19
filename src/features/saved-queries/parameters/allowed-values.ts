// Allowed values that come from a query: read, and held against what was sent.

import { newId } from "../../../core/ids.ts";
import { QUESTION_LIMITS } from "../limits.ts";
import { isProblem, Problem } from "../../../core/problem.ts";
import type { Life } from "../../query/run.ts";
import type { QueryDeps } from "../../query/prepare-query.ts";
import { runQuery } from "../../query/run.ts";
import type { RunnableQuestion } from "../question.ts";
import { comparables, findOutside, notAllowed } from "./read-declared.ts";
import type { BoundParameters } from "./resolve.ts";

/** Throws `validation_failed` where a value is none of those that its parameter's query has for the caller. */
export async function requireAllowed(
  ctx: QueryDeps,
  question: RunnableQuestion,
  { bound, pointer, life }: { bound: BoundParameters; pointer: string; life: Life },
): Promise<void> {
  const restricted = Object.entries(question.parameters).filter(([, { allowed_sql: sql }]) => sql !== undefined);
  const checks = restricted.map(async ([name, { type, allowed_sql: sql = "" }]) => {
    const allowed = comparables(type, await readAllowed(ctx, { question, name, sql, life }));
    const outside = findOutside(bound[name]!, allowed);
    return outside === undefined
      ? []
      : [{ pointer: `${pointer}/${name}`, message: `The parameter ${name}: ${notAllowed(outside)}` }];
  });
  const flaws = (await Promise.all(checks)).flat();
  if (flaws.length > 0) throw new Problem("validation_failed", "One or more parameters are not valid.", flaws);
}

type AllowedQuery = { question: RunnableQuestion; name: string; sql: string; life: Life };
type Answer = {
  columns: string[];
  data: Record<string, unknown>[];
  truncated: boolean;
  success: boolean;
  message?: string;
};

async function readAllowed(ctx: QueryDeps, { question, name, sql, life }: AllowedQuery): Promise<unknown[]> {
  const query = { sql, ...(question.integration_id !== null && { integration_id: question.integration_id }) };
  // It is a statement of its own beside the question's.
  const scope = { ...ctx.scope, requestId: newId(ctx.scope.now) };
  const bounds = { rowsMax: QUESTION_LIMITS.allowedValuesReadMax, bytesMax: QUESTION_LIMITS.allowedValuesReadBytesMax };
  const about = (message: string): string => `The query for the allowed values of ${name}: ${message}`;
  try {
    const answer = (await (
      await runQuery(
        { ...ctx, scope },
        { ...query, timeout_ms: QUESTION_LIMITS.allowedValuesMs },
        { format: "json", numbers: "string", ...bounds },
        { ...life, isNamed: false },
      )
    ).json()) as Answer;
    if (!answer.success) throw new Problem("query_failed", answer.message ?? "It broke off.");
    if (answer.truncated)
      throw new Problem("query_failed", `It has more than ${QUESTION_LIMITS.allowedValuesReadMax} values.`);
    const [first = ""] = answer.columns;
    return answer.data.map((row) => row[first]);
  } catch (error) {
    throw isProblem(error) ? new Problem(error.code, about(error.message), [], { cause: error }) : error;
  }
}
