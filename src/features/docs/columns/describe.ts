// The columns of a doc's SQL datasets on lakes, asked of an engine that runs already: a save waits for no engine's
// start.

import { z } from "zod";
import { newId } from "../../../core/ids.ts";
import { DOC_LIMITS } from "../limits.ts";
import type { Needs } from "../../../clients/context.ts";
import { boundParameters } from "../../../http/request/parameters.ts";
import { grantLake } from "../../../lake/lake.ts";
import { resolveAccess } from "../../access/resolve.ts";
import { getLake } from "../../integrations/get.ts";
import type { Dataset } from "../definition/definition.ts";
import { partParameters } from "../filters/filter-parameter.ts";
import { withoutSemicolon } from "../filters/sql-conditions.ts";

export type DescribeDeps = Needs<"scope" | "db" | "tokens" | "openLake" | "openEngine">;
export type SqlDataset = Extract<Dataset, { engine: "sql" }>;

const Described = z.object({ columns: z.array(z.string()) });
const BYTES_MAX = 1024 * 1024;

/**
 * By key, with the rights of who asks; without what is on no lake, and what can't be said in time, for whatever reason:
 * what is wrong with a statement shows when it is run.
 */
export async function describeDatasets(
  ctx: DescribeDeps,
  datasets: ReadonlyMap<string, SqlDataset>,
): Promise<Map<string, string[]>> {
  if (datasets.size === 0 || !(await isAtHand(ctx))) return new Map();
  const asked = [...datasets].slice(0, DOC_LIMITS.describedMax);
  const signal = AbortSignal.timeout(DOC_LIMITS.describeMs);
  const found = await Promise.all(
    asked.map(async ([key, dataset]) => [key, await describe(ctx, dataset, signal).catch(() => undefined)] as const),
  );
  return new Map(found.flatMap(([key, columns]) => (columns ? [[key, columns]] : [])));
}

const isAtHand = ({ scope, openEngine }: DescribeDeps): Promise<boolean> =>
  openEngine(scope.teamId)
    .probe()
    .catch(() => false);

async function describe(
  ctx: DescribeDeps,
  { sql, parameters, integrationId }: SqlDataset,
  signal: AbortSignal,
): Promise<string[] | undefined> {
  const { scope, openEngine } = ctx;
  const { id: lakeId } = await getLake(ctx, integrationId);
  const deadlineMs = DOC_LIMITS.describeMs;
  const access = await resolveAccess(ctx, { id: lakeId });
  const lake = await grantLake(ctx, { teamId: scope.teamId, lakeId }, access, { deadlineMs, now: scope.now });
  const answer = await openEngine(scope.teamId).runStatement(
    {
      id: newId(scope.now),
      sender: scope.userId,
      // A statement that writes is no table, and is refused.
      sql: `SELECT * FROM (\n${withoutSemicolon(sql)}\n) AS described LIMIT 0`,
      ...(parameters && { parameters: boundParameters(withoutFilters(parameters)) }),
      target: { kind: "lake", lake },
      format: "json",
      numbers: "exact",
      rowsMax: 1,
      bytesMax: BYTES_MAX,
      deadlineMs,
      leaseMs: deadlineMs,
    },
    signal,
  );
  return Described.safeParse(await answer.json()).data?.columns;
}

/** Columns are the same whatever a filter has. */
function withoutFilters(parameters: NonNullable<SqlDataset["parameters"]>): Record<string, unknown> {
  const { own, filtered } = partParameters(parameters);
  const unset = Object.entries(filtered).map(([name, { type, list }]) => [name, { type, value: list ? [null] : null }]);
  return { ...own, ...Object.fromEntries(unset) };
}
