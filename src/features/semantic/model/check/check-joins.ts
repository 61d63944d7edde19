// Joins lead to cubes that are there, and both ends say which of their rows are one: without a primary key, rows that
// a join repeats would be counted twice.

import { isSubQuery, type CubeEntry, type Dimension, type Join, type Member, type ModelIndex } from "../definitions.ts";
import { findPath, joinBetween } from "../join-graph.ts";
import type { Findings } from "../read/shape.ts";
import { referencesIn, resolveReference, targetsIn, targetsOf, type Target } from "../references.ts";

export function checkJoins(index: ModelIndex, findings: Findings): void {
  const reported = new Set<string>();
  for (const own of index.cubes.values())
    for (const join of own.cube.joins ?? []) {
      findings.member = own.cube.name;
      const say = (message: string): void => findings.flaw(findings.placeOf(join), `Join to ${join.name}: ${message}`);
      const other = index.cubes.get(join.name);
      if (!other) say(index.views.has(join.name) ? "it is a view." : "there is no such cube.");
      else if (join.name === own.cube.name) say("a cube can't join itself; it can join a cube that extends it.");
      else checkSql(index, own, join, say);
      for (const end of [own, ...(other ? [other] : [])]) checkKey(end, findings, reported);
    }
}

function checkKey({ cube }: CubeEntry, findings: Findings, reported: Set<string>): void {
  if (reported.has(cube.name) || cube.dimensions?.some(({ primary_key }) => primary_key)) return;
  reported.add(cube.name);
  findings.member = cube.name;
  findings.flaw(
    findings.placeOf(cube),
    `${cube.name} is joined, and has no dimension with primary_key: true. Without one, rows that a join repeats ` +
      "would count twice.",
  );
}

function checkSql(index: ModelIndex, own: CubeEntry, join: Join, say: (message: string) => void): void {
  for (const reference of referencesIn(join.sql)) {
    const target = resolveReference(index, own, reference);
    if (target.kind === "flaw") say(target.message);
    else if (target.kind === "member" && target.memberKind === "measures")
      say(`{${reference}} is a measure, by which nothing can be joined.`);
    else
      for (const { cube, dimension } of subQueriesOf(index, [target]))
        if (isJoinedByItself(index, cube, dimension))
          say(`{${reference}} is a subquery that is measured over this join.`);
  }
}

type SubQuery = { cube: CubeEntry; dimension: Dimension };

/** The targets that are subqueries, or made of one. */
function subQueriesOf(index: ModelIndex, targets: readonly Target[]): SubQuery[] {
  const found = new Set<Member>();
  const subQueries: SubQuery[] = [];
  const look = (target: Target): void => {
    const cube = index.cubes.get(target.cube)!;
    const member = target.kind === "member" ? cube.members.get(target.member)?.member : undefined;
    if (!member || found.has(member)) return;
    found.add(member);
    if (isSubQuery(member)) subQueries.push({ cube, dimension: member as Dimension });
    else targetsOf(index, cube, member).forEach(look);
  };
  targets.forEach(look);
  return subQueries;
}

/** Whether a join on the way to what a subquery measures is by that subquery, or by others that lead back to it. */
function isJoinedByItself(index: ModelIndex, own: CubeEntry, dimension: Dimension): boolean {
  const seen = new Set<SubQuery["dimension"]>();
  const leadsBack = (subQuery: SubQuery): boolean => {
    if (seen.has(subQuery.dimension)) return subQuery.dimension === dimension;
    seen.add(subQuery.dimension);
    return joinsTo(index, subQuery).some(([cube, join]) =>
      subQueriesOf(index, targetsIn(index, cube, join.sql)).some(leadsBack),
    );
  };
  return leadsBack({ cube: own, dimension });
}

function joinsTo(index: ModelIndex, { cube, dimension }: SubQuery): [CubeEntry, Join][] {
  return targetsOf(index, cube, dimension).flatMap(({ path }) =>
    [cube.cube.name, ...path].flatMap((from, i, stops) => {
      const to = stops[i + 1] ?? from;
      const way = findPath(index, from, to) ?? findPath(index, to, from) ?? [];
      return way
        .slice(1)
        .map((next, j): [CubeEntry, Join] => [index.cubes.get(way[j]!)!, joinBetween(index, way[j]!, next)!]);
    }),
  );
}
