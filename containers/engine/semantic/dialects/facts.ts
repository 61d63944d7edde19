// The facts of a query: measures that one join answers. Joined together, one fact's rows decide which of another's are
// there at all; so each is asked for alone, by the same dimensions, filters and segments, and set beside the others.

import type { SemanticSql } from "../../../../kernel/semantic/query.ts";
import type { Planned } from "./planned.ts";
import { Refused } from "./refused.ts";

export type Joins = Pick<SemanticSql, "joinPath" | "multiplied">;

const RELATIONSHIPS: Readonly<Record<string, Joins["joinPath"][number]["relationship"]>> = {
  hasOne: "one_to_one",
  hasMany: "one_to_many",
  belongsTo: "many_to_one",
};

type JoinTree = { root: string; joins: { originalFrom: string; originalTo: string; join: Join }[] };
type Join = { relationship: string; sql: unknown };
type WrittenFilter = { and?: WrittenFilter[]; or?: WrittenFilter[]; member?: string; dimension?: string };

/** A query for each fact; undefined where one join answers all. */
export function factsOf(query: Planned): Planned[] | undefined {
  if (query.options.isPart) return undefined;
  const measures = factMeasures(query);
  if (query.joinError === undefined && (measures.length < 2 || haveOneCube(query, measures))) return undefined;
  const alone = measures.map((measure) => ({ path: measure.path, fact: aloneQuery(query, measure) }));
  const groups = [...Map.groupBy(alone, ({ path, fact }) => joinKey(fact, path)).values()];
  if (groups.length === 1 && query.joinError === undefined) return undefined;
  return groups.flatMap((group) => {
    const [{ fact: first }] = group as [(typeof group)[number]];
    if (group.length === 1) return [first];
    const together = factQuery(
      query,
      group.map(({ path }) => path),
      first.options.joinHints,
    );
    return joinKey(together, "") === joinKey(first, "") ? [together] : group.map(({ fact }) => fact);
  });
}

/** `root`: the measure that the query names, of which this is one, or a part. */
type FactMeasure = { path: string; root: string };

/** The parts that the query's measures, and the filters on measures, are made of; those of one cube stay whole. */
function factMeasures(query: Planned): FactMeasure[] {
  const hierarchy = query.collectRootMeasureToHierarchy(undefined) as Record<string, { measure: unknown }[]>;
  const measures = Object.entries(hierarchy).flatMap(([root, leaves]) => {
    const parts = leaves.map(({ measure }) => measure).filter((measure) => typeof measure === "string");
    const cubes = new Set(parts.map((part) => query.cubeEvaluator.cubeNameFromPath(part)));
    return (cubes.size < 2 ? [root] : parts).map((path) => ({ path, root }));
  });
  return [...new Map(measures.map((measure) => [measure.path, measure])).values()];
}

function haveOneCube(query: Planned, paths: readonly FactMeasure[]): boolean {
  const measures = paths.map(({ path }) => query.newMeasure(path));
  const cubes = measures.flatMap(
    (measure) =>
      query.collectFrom([measure], query.collectCubeNamesFor.bind(query), "collectCubeNamesFor") as unknown as string[],
  );
  return new Set(cubes).size === 1 && !measures.some((measure) => measure.isCumulative());
}

/**
 * Asked for alone, a measure may reach by no join what it does by those that the whole query takes, or the measure that
 * it is a part of: they are the second choice.
 */
function aloneQuery(query: Planned, { path, root }: FactMeasure): Planned {
  try {
    return factQuery(query, [path], query.options.joinHints);
  } catch (error) {
    if (!(error instanceof Error) || !error.message.startsWith("Can't find join path")) throw error;
    if (query.joinError === undefined) return factQuery(query, [path], query.allJoinHints);
    if (root !== path) return factQuery(query, [path], aloneQuery(query, { path: root, root }).allJoinHints);
    throw new Refused(
      `${path} can't be asked for by the dimensions, filters and segments of the query. ${error.message}`,
    );
  }
}

function factQuery(query: Planned, measures: readonly string[], joinHints: unknown): Planned {
  const { dimensions, timeDimensions, segments, filters = [] } = query.options;
  return query.newSubQuery({
    measures,
    dimensions,
    timeDimensions,
    segments,
    joinHints,
    filters: (filters as WrittenFilter[]).filter((filter) => !isOnMeasure(query, filter)),
    order: [],
    rowLimit: null,
  }) as Planned;
}

const isOnMeasure = (query: Planned, filter: WrittenFilter): boolean =>
  (query.extractDimensionsAndMeasures([filter]) as { measure?: string }[]).some(({ measure }) => measure);

/** The key of a fact's join; a measure that rolls over time has one of its own. */
function joinKey(fact: Planned, path: string): string {
  if (fact.isRolling()) return path;
  const tree = fact.join as JoinTree | undefined;
  return JSON.stringify([tree?.root, tree?.joins.map(({ originalFrom, originalTo }) => [originalFrom, originalTo])]);
}

export function joinsOf(query: Planned): Joins {
  const queries = query.factQueries ?? [query];
  const steps = queries.flatMap((each) =>
    ((each.join as JoinTree | undefined)?.joins ?? []).map((join) => ({ each, join })),
  );
  const unique = new Map(steps.map((step) => [`${step.join.originalFrom}-${step.join.originalTo}`, step]));
  const joinPath = [...unique.values()].map(({ each, join: { originalFrom, originalTo, join } }) => ({
    from: originalFrom,
    to: originalTo,
    relationship: RELATIONSHIPS[join.relationship]!,
    sql: String(each.evaluateSql(originalFrom, join.sql, undefined)),
  }));
  return { joinPath, multiplied: [...new Set(queries.flatMap(multipliedCubes))] };
}

function multipliedCubes(query: Planned): string[] {
  if (query.ungrouped) return [];
  const { multipliedMeasures } = query.fullKeyQueryAggregateMeasures(undefined);
  return multipliedMeasures.map((measure: { cube(): { name: string } }) => measure.cube().name);
}

/**
 * Refuses a query whose joins come to a cube on one way and leave it by the other, where joins are defined both ways.
 */
export function refuseCircle(joins: readonly { from: string; to: string }[]): void {
  const above = new Map(joins.map(({ from, to }) => [to, from]));
  for (const start of above.keys()) {
    const seen = new Set<string>();
    for (let cube: string | undefined = start; cube !== undefined; cube = above.get(cube)) {
      if (seen.has(cube))
        throw new Refused(
          `The joins of this query lead in a circle by way of '${cube}': leave out what needs one of them.`,
        );
      seen.add(cube);
    }
  }
}
