// Nothing in a model is called as another thing of it, not even in the aliases that SQL gets.

import { MEMBER_KINDS, type Cube, type View } from "../definitions.ts";
import { aliasOf } from "../read/names.ts";
import type { Findings } from "../read/shape.ts";

type Named = { name: string };

/** Before `extends` is resolved: a definition may say anew what its parent says. */
export function checkOwnNames(cube: Cube, findings: Findings): void {
  const seen = new Set<string>();
  for (const kind of [...MEMBER_KINDS, "hierarchies"] as const)
    for (const member of cube[kind] ?? []) {
      findings.member = `${cube.name}.${member.name}`;
      if (seen.has(member.name))
        findings.flaw(findings.placeOf(member), `${cube.name} has another member called ${member.name}.`);
      seen.add(member.name);
    }
  const targets = new Set<string>();
  for (const join of cube.joins ?? []) {
    findings.member = cube.name;
    if (targets.has(join.name))
      findings.flaw(
        findings.placeOf(join),
        `${cube.name} has another join to ${join.name}: for a second one, join a cube that extends ${join.name}.`,
      );
    targets.add(join.name);
  }
}

export function checkDefinitionNames(definitions: readonly Named[], findings: Findings): void {
  const seen = new Set<string>();
  for (const definition of definitions) {
    findings.member = definition.name;
    if (seen.has(definition.name))
      findings.flaw(findings.placeOf(definition), `There is another cube or view called ${definition.name}.`);
    seen.add(definition.name);
  }
}

/** A cube's inherited members may be of another kind than its own. */
export function checkAliases(cubes: readonly Cube[], views: readonly View[], findings: Findings): void {
  const taken = new Map<string, string>();
  const take = (alias: string, path: string, written: object): void => {
    const other = taken.get(alias);
    findings.member = path;
    if (other === path) findings.flaw(findings.placeOf(written), `There are two members called ${path}.`);
    else if (other !== undefined)
      findings.flaw(
        findings.placeOf(written),
        `In SQL, ${path} would have the alias of ${other}, ${alias}: rename one.`,
      );
    taken.set(alias, path);
  };
  for (const cube of cubes) {
    const alias = cube.sql_alias ?? cube.name;
    take(aliasOf(alias), cube.name, cube);
    for (const kind of [...MEMBER_KINDS, "hierarchies"] as const)
      for (const member of cube[kind] ?? [])
        take(aliasOf(`${alias}.${member.name}`), `${cube.name}.${member.name}`, member);
  }
  for (const view of views) take(aliasOf(view.name), view.name, view);
}
