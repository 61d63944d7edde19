import { WRITE_FORBIDDEN } from "../../../../kernel/wire/failure-text.ts";
import { newId } from "../../../core/ids.ts";
import { QUERY_LIMITS } from "../limits.ts";
import { invalidAt, isProblem } from "../../../core/problem.ts";
import type { Needs } from "../../../clients/context.ts";
import { boundParameters } from "../../../http/request/parameters.ts";
import { getIntegration, getLake } from "../../integrations/get.ts";
import { inDuckDb } from "../cluster/dialect.ts";
import type { NewQuery } from "../query.ts";
import { refusedWith, withTotal, type QueryEstimate } from "./query-estimate.ts";
import { isLake, lakeTargetOf, mayWrite } from "../target.ts";

type Ctx = Needs<"scope" | "db" | "tokens" | "openLake" | "openEngine">;

/**
 * What a statement on the lake will read, within the caller's access. How one is refused that may not run is the answer
 * for it. Nothing runs, is fetched, or counts as a query of the month.
 */
export async function estimateQuery(ctx: Ctx, given: NewQuery): Promise<QueryEstimate> {
  const { scope } = ctx;
  const query = await inDuckDb(ctx, given);
  const { sql, parameters, integration_id: id, timeout_ms: timeoutMs = Infinity } = query;
  if (sql === undefined) throw invalidAt("/cube_query", "What a semantic query reads is not estimated. Send `sql`.");
  const integration = id === undefined ? await getLake(ctx) : await getIntegration(ctx, id);
  if (!isLake(integration)) throw invalidAt("/integration_id", "What a statement reads is estimated of a lake alone.");
  const deadlineMs = Math.min(timeoutMs, QUERY_LIMITS.estimateMs);
  const opened = Promise.resolve(undefined);
  const { target, access } = await lakeTargetOf(ctx, integration, { deadlineMs, isRead: true, opened });
  const request = {
    id: newId(scope.now),
    sender: scope.userId,
    sql,
    ...(parameters && { parameters: boundParameters(parameters) }),
    lake: target.lake,
    deadlineMs,
  };
  try {
    const estimate = withTotal(await ctx.openEngine(scope.teamId).estimateStatement(request));
    if (!estimate.writes || mayWrite(scope, access)) return estimate;
    return { ...estimate, refusal: { message: WRITE_FORBIDDEN, flaws: [] } };
  } catch (error) {
    if (isProblem(error) && error.code === "query_failed") return refusedWith(error);
    throw error;
  }
}
