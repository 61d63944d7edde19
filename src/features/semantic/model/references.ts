// Resolves the references of a cube's members, as Cube's symbols do.

import {
  GRANULARITIES,
  sqlOf,
  type CubeEntry,
  type Dimension,
  type Member,
  type MemberKind,
  type ModelIndex,
} from "./definitions.ts";
import { readTemplate } from "./template.ts";

/** `path`: the cubes that it names on the way, its own among them; none where it is the cube's own member. */
export type Target =
  | { kind: "cube"; cube: string; path: string[] }
  | { kind: "member"; cube: string; member: string; memberKind: MemberKind; path: string[]; granularity?: string };
export type Resolved = Target | { kind: "flaw"; message: string };

const CURRENT = new Set(["CUBE", "TABLE"]);
const flaw = (message: string): Resolved => ({ kind: "flaw", message });

/** `reference` is one that the template has let through. */
export function resolveReference(index: ModelIndex, own: CubeEntry, reference: string): Resolved {
  const steps = reference.split(".");
  const [first = ""] = steps;
  if (CURRENT.has(first)) return walk(index, [own], steps.slice(1), reference);
  if (index.views.has(first)) return flaw(`{${reference}} refers to a view, which only queries can.`);
  const other = index.cubes.get(first);
  const isOwn = own.members.has(first);
  if (other && isOwn)
    return flaw(`{${reference}} is both the cube ${first} and a member: write {CUBE.${first}} for the member.`);
  if (other) return walk(index, [other], steps.slice(1), reference);
  if (isOwn) return withoutPath(walk(index, [own], steps, reference));
  return flaw(`{${reference}}: there is no cube and no member of ${own.cube.name} called ${first}.`);
}

/** It names no cube. */
const withoutPath = (target: Resolved): Resolved => (target.kind === "flaw" ? target : { ...target, path: [] });

function walk(index: ModelIndex, path: CubeEntry[], steps: readonly string[], reference: string): Resolved {
  const cube = path.at(-1)!;
  const cubes = path.map(({ cube: { name } }) => name);
  const [step, ...rest] = steps;
  if (step === undefined) return { kind: "cube", cube: cube.cube.name, path: cubes };
  const found = cube.members.get(step);
  if (found) {
    const [granularity, ...more] = rest;
    if (more.length > 0 || (granularity !== undefined && !hasGranularity(found.member, granularity)))
      return flaw(`{${reference}}: ${cube.cube.name}.${step} has no granularity ${rest.join(".")}.`);
    return {
      kind: "member",
      cube: cube.cube.name,
      member: step,
      memberKind: found.kind,
      path: cubes,
      ...(granularity === undefined ? {} : { granularity }),
    };
  }
  const next = index.cubes.get(step);
  if (!next) return flaw(`{${reference}}: ${cube.cube.name} has no member called ${step}.`);
  return walk(index, [...path, next], rest, reference);
}

export function hasGranularity(member: Member, granularity: string): boolean {
  const { type, granularities } = member as Dimension;
  if (type !== "time") return false;
  return (
    (GRANULARITIES as readonly string[]).includes(granularity) ||
    (granularities ?? []).some(({ name }) => name === granularity)
  );
}

/** The references in SQL that was read. */
export function referencesIn(sql: string): string[] {
  if (!sql.includes("{")) return [];
  const { parts } = readTemplate(sql);
  return (parts ?? []).flatMap((part) => ("reference" in part ? [part.reference] : []));
}

/** Targets of a checked model. */
export const targetsIn = (index: ModelIndex, own: CubeEntry, sql: string): Target[] =>
  referencesIn(sql).flatMap((reference) => {
    const target = resolveReference(index, own, reference);
    return target.kind === "flaw" ? [] : [target];
  });

export const targetsOf = (index: ModelIndex, own: CubeEntry, member: Member): Target[] =>
  sqlOf(member).flatMap((sql) => targetsIn(index, own, sql));
