// A statement is prepared: its engine is chosen, its target looked up, and it is counted.

import type { StatementRequest } from "../../../kernel/wire/engine.ts";
import type { Format } from "../../../kernel/wire/engine-program.ts";
import { QUERY_LIMITS } from "./limits.ts";
import type { Needs } from "../../clients/context.ts";
import { boundParameters } from "../../http/request/parameters.ts";
import { getIntegration, getLake } from "../integrations/get.ts";
import type { Integration } from "../integrations/integration.ts";
import { reserveQuery, returnQuery } from "../quotas/reserve-query.ts";
import type { Fallback } from "./async/start.ts";
import { chooseCluster } from "./cluster/choose-engine.ts";
import { inDuckDb } from "./cluster/dialect.ts";
import { releasePins, type ClusterPlan } from "./cluster/plan-cluster.ts";
import type { NewQuery } from "./query.ts";
import { planSemanticQuery } from "./semantic-query.ts";
import type { OpenedLake } from "../access/open-lake.ts";
import { rememberLake, supposeLake } from "./supposed-lake.ts";
import { targetOf, type LakeTarget, type Targeted } from "./target.ts";

/**
 * How the result is to be written. `isWhole`: a semantic answer that would be cut fails. `isBlended`: its rows have
 * their time by the name by which they are set beside another answer's.
 */
export type Writing = {
  format: Format;
  numbers: StatementRequest["numbers"];
  isWhole?: true;
  isBlended?: true;
  /** Lines of NDJSON are lists, each with a comma behind it. */
  isLists?: true;
  /** Where a JSON answer is cut, if sooner than any. */
  rowsMax?: number;
  bytesMax?: number;
};

/** A query whose parameters may be bound already. */
export type QueryInput = NewQuery & {
  /** It runs on the team's own Trino, and is planned already. */
  planned?: ClusterPlan;
  /**
   * Plans what the engine runs in its place where DuckDB has too little memory, and nobody waits. Snapshots are held
   * from then on.
   */
  planFallback?: () => Promise<Fallback | undefined>;
  bound?: StatementRequest["parameters"];
  /** Its text was made of another: no place in it is one that its sender knows. */
  isTranslated?: true;
  /** Its text reads this lake, and was made for what is there at this snapshot, for this reader. */
  reads?: OpenedLake;
  /** The caller of SQL on the lake has results with these entity tags. Without them the answer has no tag. */
  ifNoneMatch?: string[];
};

export type QueryDeps = Needs<
  "scope" | "db" | "vault" | "tokens" | "openLake" | "openEngine" | "openStatementEngine" | "meter"
>;

type Prepared = Omit<Targeted, "target"> & { statement: StatementRequest; integrationId: string };

/** The statement as the engine takes it; it counts as sent from here on. */
export async function prepareQuery(
  ctx: QueryDeps,
  given: QueryInput,
  writing: Writing,
  deadlineMsDefault: number,
): Promise<Prepared> {
  const { scope } = ctx;
  const deadlineMs = given.timeout_ms ?? deadlineMsDefault;
  const cluster = given.planned ?? (await chooseCluster(ctx, given, deadlineMs));
  const query = cluster ? given : await inDuckDb(ctx, given);
  const parameters = query.bound ?? (query.parameters && boundParameters(query.parameters));
  const { asked, integration, target, ...targeted } = await whileReserving(
    ctx,
    cluster ? Promise.resolve<QueryPlan & Targeted>(cluster) : planTarget(ctx, query, deadlineMs),
  ).catch(async (error: unknown) => {
    if (cluster) await releasePins(ctx, { id: scope.requestId, target: cluster.target }, cluster.integration.id);
    throw error;
  });
  const statement: StatementRequest = {
    id: scope.requestId,
    sender: scope.userId,
    ...asked,
    ...((query !== given || given.isTranslated) && { isTranslated: true as const }),
    ...(parameters && { parameters }),
    ...(query.ifNoneMatch && asked.sql !== undefined && { ifNoneMatch: query.ifNoneMatch }),
    ...(query.persist === false && { persist: false }),
    ...(query.invalidate === true && { invalidate: true }),
    target,
    rowsMax: QUERY_LIMITS.rowsMax,
    bytesMax: QUERY_LIMITS.bytesMax,
    ...writing,
    deadlineMs,
    leaseMs: QUERY_LIMITS.leaseMs,
  };
  return { statement, integrationId: integration.id, ...targeted };
}

/** Counts the statement while it is planned. One that is not sent is not counted, and fails with its own failure. */
async function whileReserving<Plan>(ctx: QueryDeps, planning: Promise<Plan>): Promise<Plan> {
  const [reserved, planned] = await Promise.allSettled([reserveQuery(ctx), planning]);
  if (planned.status === "rejected") {
    if (reserved.status === "fulfilled") returnQuery(ctx);
    throw planned.reason;
  }
  if (reserved.status === "rejected") throw reserved.reason;
  return planned.value;
}

/** Looks up the statement's target, with all look-ups side by side as far as possible. */
async function planTarget(ctx: QueryDeps, query: QueryInput, deadlineMs: number): Promise<QueryPlan & Targeted> {
  const { reads } = query;
  const { isCertain, opened } = reads ? { isCertain: true, opened: Promise.resolve(reads) } : supposeLake(ctx, query);
  const own = isCertain ? await opened : undefined;
  const planned = own ? { asked: { sql: query.sql }, integration: ownLake(own) } : await planQuery(ctx, query, opened);
  const { asked, integration } = planned;
  return {
    ...planned,
    ...(await targetOf(ctx, integration, {
      ...{ deadlineMs, opened },
      isRead: reads !== undefined || asked.semantic !== undefined,
    })),
  };
}

const ownLake = ({ lakeId }: OpenedLake): LakeTarget => ({ id: lakeId, type: "lake" });

/** SQL as it was sent, or a semantic query with what it takes to become SQL; and the database that it is for. */
type QueryPlan = { asked: Pick<StatementRequest, "sql" | "semantic">; integration: Integration | LakeTarget };

async function planQuery(ctx: QueryDeps, query: NewQuery, opened: Promise<OpenedLake | undefined>): Promise<QueryPlan> {
  const { sql, cube_query: raw, integration_id: id } = query;
  if (raw !== undefined) {
    const { semantic, base } = await planSemanticQuery(ctx, raw, id, opened);
    rememberLake(ctx, query, base);
    return { asked: { semantic }, integration: base };
  }
  const integration = id === undefined ? await getLake(ctx) : await getIntegration(ctx, id);
  rememberLake(ctx, query, integration);
  return { asked: { sql }, integration };
}
