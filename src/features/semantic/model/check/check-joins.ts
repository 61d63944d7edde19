// Joins lead to cubes that are there, and both ends say which of their rows are one: without a primary key, rows that
// a join repeats would be counted twice.

import type { CubeEntry, Join, ModelIndex } from "../definitions.ts";
import type { Findings } from "../read/shape.ts";
import { referencesIn, resolveReference } from "../references.ts";

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
    else if (target.kind === "member" && isSubQuery(index, target))
      say(`{${reference}} is a subquery, by which nothing can be joined.`);
  }
}

function isSubQuery(index: ModelIndex, { cube, member }: { cube: string; member: string }): boolean {
  const found = index.cubes.get(cube)?.members.get(member)?.member;
  return found !== undefined && "sub_query" in found && found.sub_query === true;
}
