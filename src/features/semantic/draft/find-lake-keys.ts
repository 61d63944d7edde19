// The keys of a lake's tables, which it does not know: columns that are called like keys, if they hold what keys hold.

import { quoteIdentifier } from "../../../lake/format/names.ts";
import { z } from "zod";
import { newId } from "../../../core/ids.ts";
import { SEMANTIC_LIMITS } from "../limits.ts";
import { CONTAINER_LIMITS } from "../../../platform/container/limits.ts";
import { isProblem } from "../../../core/problem.ts";
import { grantLake } from "../../../lake/lake.ts";
import { resolveAccess } from "../../access/resolve.ts";
import type { DraftDeps, Table } from "./draft-deps.ts";

const CANDIDATES_MAX = 4;
const Counted = z.object({ data: z.array(z.object({ candidate: z.number().int(), holds: z.boolean() })) });

/**
 * Finds each table's first candidate that no two rows share and no row lacks, as of now; an empty table has none.
 * Undefined where the tables could not be counted in time.
 */
export async function findLakeKeys(
  ctx: DraftDeps,
  lakeId: string,
  tables: readonly Table[],
): Promise<(string[] | undefined)[] | undefined> {
  const candidates = tables.flatMap((table, index) =>
    candidatesOf(table).map((columns) => ({ index, table, columns })),
  );
  if (candidates.length === 0) return tables.map(() => undefined);
  const sql = candidates.map(({ table, columns }, i) => countingOf(i, table, columns)).join(" UNION ALL ");
  const holding = await count(ctx, lakeId, sql);
  return holding && tables.map((_, i) => candidates.find(({ index }, at) => index === i && holding.has(at))?.columns);
}

/** In the order in which they are to be tried: what is called like the table's own key, then pairs of what it names. */
export function candidatesOf({ name, columns }: Pick<Table, "name" | "columns">): string[][] {
  const table = name.toLowerCase();
  const stems = [table, table.replace(/ies$/, "y"), table.replace(/s$/, ""), table.replace(/es$/, "")];
  const own = new Set(["id", "uuid", "key", ...stems.flatMap((stem) => [`${stem}_id`, `${stem}id`, `${stem}_key`])]);
  const scalars = columns.filter(({ type }) => SCALAR.test(type)).map((column) => column.name);
  const single = scalars.filter((column) => own.has(column.toLowerCase()));
  const naming = scalars.filter((column) => /_id$/i.test(column) && !own.has(column.toLowerCase()));
  const counting = scalars.filter((column) =>
    /^(?:line|position|pos|seq|sequence|item)(?:_?(?:no|nr|number|id))?$/i.test(column),
  );
  const pairs = [
    ...naming.flatMap((column) => counting.filter((other) => other !== column).map((other) => [column, other])),
    ...(naming.length === 2 ? [naming] : []),
  ];
  return [...single.map((column) => [column]), ...pairs].slice(0, CANDIDATES_MAX);
}

/** The lake's types that keys can have. */
const SCALAR = /^(?:u?int\d+|varchar|uuid|date)$/;

function countingOf(candidate: number, { schema, name }: Table, columns: string[]): string {
  const quoted = columns.map(quoteIdentifier);
  const value = quoted.length === 1 ? quoted[0]! : `(${quoted.join(", ")})`;
  const lacking = quoted.map((column) => `${column} IS NULL`).join(" OR ");
  return (
    `SELECT ${candidate} AS candidate, count(*) > 0 AND count(*) FILTER (WHERE ${lacking}) = 0 ` +
    `AND count(DISTINCT ${value}) = count(*) AS holds FROM ${quoteIdentifier(schema)}.${quoteIdentifier(name)}`
  );
}

/** The candidates that hold. */
async function count(ctx: DraftDeps, lakeId: string, sql: string): Promise<Set<number> | undefined> {
  const { scope, openEngine } = ctx;
  const deadlineMs = SEMANTIC_LIMITS.draftKeysMs;
  const access = await resolveAccess(ctx, { id: lakeId });
  const lake = await grantLake(ctx, { teamId: scope.teamId, lakeId }, access, { deadlineMs, now: scope.now });
  const statement = {
    id: newId(scope.now),
    sender: scope.userId,
    sql,
    target: { kind: "lake" as const, lake },
    format: "json" as const,
    numbers: "exact" as const,
    rowsMax: SEMANTIC_LIMITS.draftTablesMax * CANDIDATES_MAX,
    bytesMax: SEMANTIC_LIMITS.draftKeysBytesMax,
    deadlineMs,
    leaseMs: deadlineMs,
  };
  try {
    const answer = await openEngine(scope.teamId).runStatement(statement, AbortSignal.timeout(deadlineMs + SLACK_MS));
    const counted = Counted.safeParse(await answer.json());
    return counted.success
      ? new Set(counted.data.data.filter(({ holds }) => holds).map(({ candidate }) => candidate))
      : undefined;
  } catch (error) {
    // Large tables take longer than whoever drafts waits; the draft is of use without.
    if (isProblem(error) && (error.code === "query_timeout" || error.code === "query_failed")) return undefined;
    throw error;
  }
}

/** To start an engine, and to carry the answer. */
const SLACK_MS = CONTAINER_LIMITS.startMs + 10_000;
