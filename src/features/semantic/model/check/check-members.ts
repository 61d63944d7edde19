// Checks that the members to which cubes refer exist, are of a kind that can stand there, and form no circle.

import { SEMANTIC_LIMITS } from "../../limits.ts";
import {
  isCalculated,
  isSubQuery,
  sqlOf,
  type Cube,
  type CubeEntry,
  type Dimension,
  type Measure,
  type Member,
  type MemberKind,
  type ModelIndex,
} from "../definitions.ts";
import { findMissingJoin } from "../join-graph.ts";
import { needsOrigin } from "../read/intervals.ts";
import { isKeyword } from "../read/names.ts";
import type { Findings } from "../read/shape.ts";
import { hasGranularity, referencesIn, resolveReference, targetsOf, type Resolved } from "../references.ts";

export function checkMembers(index: ModelIndex, findings: Findings): void {
  for (const own of index.cubes.values()) {
    for (const { kind, member } of own.members.values()) {
      findings.member = `${own.cube.name}.${member.name}`;
      checkForm(kind, member, own.cube, findings);
      checkReferences(index, { own, kind, member }, findings);
    }
    for (const hierarchy of own.cube.hierarchies ?? []) {
      findings.member = `${own.cube.name}.${hierarchy.name}`;
      for (const level of hierarchy.levels)
        checkLevel(resolveReference(index, own, level), level, () => findings.placeOf(hierarchy), findings);
    }
  }
  if (findings.flaws.length === 0) checkEnds(index, findings);
}

/** Checks the fields of a member against each other. */
function checkForm(kind: MemberKind, member: Member, cube: Cube, findings: Findings): void {
  const say = (message: string): void => findings.flaw(findings.placeOf(member), message);
  if (kind === "measures") checkMeasure(member as Measure, cube, say);
  if (kind === "dimensions") checkDimension(member as Dimension, cube, say);
}

function checkMeasure(measure: Measure, cube: Cube, say: (message: string) => void): void {
  if (measure.sql === undefined && measure.type !== "count") say("The field sql is missing.");
  const window = measure.rolling_window;
  if (!window) return;
  if (isCalculated(measure)) say("A rolling window is of a measure that aggregates: sum, count and the like.");
  const toDate = window["type"] === "to_date";
  if (toDate !== (window["granularity"] !== undefined))
    say("A rolling window has a granularity if it is of type to_date, and only then.");
  const times = (cube.dimensions ?? []).filter(({ type }) => type === "time");
  if (toDate && !times.some((time) => hasGranularity(time, window["granularity"] as string)))
    say(`No time dimension of ${cube.name} has the granularity ${String(window["granularity"])}.`);
}

function checkDimension(dimension: Dimension, cube: Cube, say: (message: string) => void): void {
  const { type, sql, latitude, longitude, case: cases, granularities = [] } = dimension;
  const forms = [sql, cases, latitude ?? longitude].filter((form) => form !== undefined);
  if (type === "geo" ? !latitude || !longitude || forms.length > 1 : forms.length !== 1 || latitude)
    say("A dimension has either sql or case; one of type geo has latitude and longitude instead.");
  if (granularities.length > 0 && type !== "time") say("Only dimensions of type time have granularities.");
  if (dimension.sub_query && dimension.primary_key) say("A primary key can't be a subquery.");
  if (dimension.sub_query && sql === undefined) say("A subquery has sql.");
  if (dimension.sub_query && !cube.dimensions?.some(({ primary_key }) => primary_key))
    say(`The cube ${cube.name} needs a dimension with primary_key: true, by which the subquery is joined.`);
  const seen = new Set<string>();
  for (const { name, interval, origin, offset } of granularities) {
    if (seen.has(name) || hasGranularity({ name: "", type: "time" }, name))
      say(`There is another granularity called ${name}.`);
    seen.add(name);
    if (origin !== undefined && offset !== undefined) say(`The granularity ${name} has either an origin or an offset.`);
    if (origin === undefined && needsOrigin(interval)) say(`The granularity ${name} of ${interval} needs an origin.`);
  }
}

type Referrer = { own: CubeEntry; kind: MemberKind; member: Member };

function checkReferences(index: ModelIndex, referrer: Referrer, findings: Findings): void {
  const { own, kind, member } = referrer;
  const { sql, sub_query: subQuery, drill_members: drill = [] } = member as Measure & Dimension;
  const place = () => findings.placeOf(member);
  for (const text of sqlOf(member))
    for (const reference of referencesIn(text)) {
      const target = resolveReference(index, own, reference);
      const message =
        flawOfTarget(index, referrer, reference, target) ??
        (target.kind === "cube" && text === sql && !subQuery && target.cube !== own.cube.name
          ? `{${reference}} takes a column of another cube: make it a dimension of ${target.cube}, and refer to that.`
          : undefined) ??
        (target.kind === "member" ? flawOfKind({ kind, member, isMain: text === sql }, reference, target) : undefined);
      if (message !== undefined) findings.flaw(place(), message);
    }
  for (const reference of drill) {
    const target = resolveReference(index, own, reference);
    const message = flawOfTarget(index, referrer, reference, target);
    if (message !== undefined) findings.flaw(place(), `drill_members: ${message}`);
    else if (target.kind !== "member" || target.memberKind === "segments")
      findings.flaw(place(), `drill_members: ${reference} is no measure and no dimension.`);
  }
}

/** The flaw of a member's reference, wherever it stands. */
function flawOfTarget(index: ModelIndex, { own }: Referrer, reference: string, target: Resolved) {
  if (target.kind === "flaw") return target.message;
  const keyword = reference.split(".").find(isKeyword);
  if (keyword !== undefined) return `{${reference}}: nothing can refer to what is called ${keyword}. Rename it.`;
  const [from, to] = findMissingJoin(index, own.cube.name, target.path) ?? [];
  return from === undefined ? undefined : `{${reference}}: no join leads from ${from} to ${to}.`;
}

type Where = { kind: MemberKind; member: Member; isMain: boolean };

function flawOfKind(
  { kind, member, isMain }: Where,
  reference: string,
  { memberKind }: { memberKind: MemberKind },
): string | undefined {
  if (memberKind !== "measures") return undefined;
  if (kind === "segments") return `{${reference}} is a measure, of which a segment can say nothing.`;
  if (kind === "dimensions")
    return isMain && isSubQuery(member)
      ? undefined
      : `{${reference}} is a measure: a dimension with it needs sub_query: true.`;
  if (!isMain) return `{${reference}} is a measure: filters of a measure are of dimensions.`;
  return isCalculated(member as Measure)
    ? undefined
    : `{${reference}} is a measure: only a measure of type number, string, time or boolean is over others.`;
}

function checkLevel(
  target: Resolved,
  level: string,
  place: () => ReturnType<Findings["placeOf"]>,
  findings: Findings,
): void {
  if (target.kind === "flaw") findings.flaw(place(), target.message);
  else if (target.kind !== "member" || target.memberKind !== "dimensions" || target.granularity !== undefined)
    findings.flaw(place(), `levels: ${level} is no dimension.`);
}

/** That no member refers to itself, and how long its SQL becomes. Every member is looked at once. */
function checkEnds(index: ModelIndex, findings: Findings): void {
  const sizes = new Map<string, { characters: number; depth: number }>();
  const above = new Set<string>();
  const sizeOf = (own: CubeEntry, { member }: { member: Member }): { characters: number; depth: number } => {
    const path = `${own.cube.name}.${member.name}`;
    const known = sizes.get(path);
    if (known) return known;
    const say = (message: string): { characters: number; depth: number } => {
      findings.member = path;
      findings.flaw(findings.placeOf(member), message);
      return { characters: 0, depth: 0 };
    };
    if (above.has(path)) return say(`It refers to itself, by way of ${[...above].at(-1)!}.`);
    if (above.size >= SEMANTIC_LIMITS.referencesDeepMax)
      return say(`It is referred to over more than ${SEMANTIC_LIMITS.referencesDeepMax} members.`);
    above.add(path);
    const size = { characters: sqlOf(member).reduce((sum, sql) => sum + sql.length, 0), depth: 1 };
    for (const target of targetsOf(index, own, member)) {
      const other = index.cubes.get(target.cube)!;
      if (target.kind !== "member") continue;
      const inner = sizeOf(other, other.members.get(target.member)!);
      size.characters += inner.characters;
      size.depth = Math.max(size.depth, inner.depth + 1);
    }
    above.delete(path);
    if (size.characters > SEMANTIC_LIMITS.expandedCharactersMax) {
      say(`With all that it refers to, its SQL has more than ${SEMANTIC_LIMITS.expandedCharactersMax} characters.`);
      size.characters = 0;
    }
    sizes.set(path, size);
    return size;
  };
  for (const own of index.cubes.values()) for (const entry of own.members.values()) sizeOf(own, entry);
}
