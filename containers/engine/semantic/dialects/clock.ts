// A member's times are on one of two clocks. Time dimensions that a query asks for are shown as the clocks of its zone
// show them, and `{time.granularity}` is such a time wherever it stands; every other time is as it is stored.

import type { Planned } from "./planned.ts";

export type MemberSymbol = Parameters<Planned["evaluateSymbolSql"]>;

/** SQL in which every time dimension that is taken up is as the zone's clocks show it. */
export const onClock = (query: Planned, evaluate: () => string): string =>
  query.evaluateSymbolSqlWithContext(evaluate, {
    convertTzForRawTimeDimension: true,
    ignoreConvertTzForTimeDimension: false,
  }) as string;

/** Whether SQL reads a time by a granularity. */
export function hasGranularity(query: Planned, evaluate: () => string): boolean {
  const granularities = new Set<string>();
  query.evaluateSymbolSqlWithContext(evaluate, { granularities, renderedReference: {} });
  return granularities.size > 0;
}

/** Called for each time that SQL reads by a granularity. */
export function noteGranularity(query: Planned, path: string): void {
  (query.safeEvaluateSymbolContext() as { granularities?: Set<string> }).granularities?.add(path);
}

/**
 * A symbol's SQL within {@link onClock}. Cube converts a time whose SQL names a column, and with it the times of other
 * members beside that column, which it has converted already.
 */
export function symbolSql(query: Planned, symbol: MemberSymbol, evaluate: () => unknown): unknown {
  if (!isColumn(query, symbol)) return evaluate();
  const stored = (): string =>
    query.evaluateSymbolSqlWithContext(evaluate, { ignoreConvertTzForTimeDimension: true }) as string;
  return hasGranularity(query, stored) ? stored() : query.shownTime(stored());
}

function isColumn(query: Planned, [cube, name, { type }, expressionType, granularity]: MemberSymbol): boolean {
  const { convertTzForRawTimeDimension: isOnClock, ignoreConvertTzForTimeDimension: isStored } =
    query.safeEvaluateSymbolContext() as Record<string, unknown>;
  if (type !== "time" || expressionType || granularity || !isOnClock || isStored) return false;
  return Boolean(query.cubeEvaluator.byPathAnyType([cube, name]).ownedByCube);
}
