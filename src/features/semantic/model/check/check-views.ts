// Views include what is there, each name once, and by paths that joins lead along.

import type { Folder, ModelIndex, View } from "../definitions.ts";
import { findPath } from "../join-graph.ts";
import { isKeyword } from "../read/names.ts";
import type { Findings } from "../read/shape.ts";
import { nameOf, pathOf, viewMembersOf } from "../view-members.ts";

type Say = (message: string) => void;

export function checkViews(index: ModelIndex, findings: Findings): void {
  for (const view of index.views.values()) {
    findings.member = view.name;
    const say: Say = (message) => findings.flaw(findings.placeOf(view), message);
    const count = findings.flaws.length;
    if (!view.cubes?.length) say("A view includes members of cubes: its field cubes is missing.");
    for (const entry of view.cubes ?? []) {
      checkPath(index, pathOf(entry), say);
      const own = index.cubes.get(pathOf(entry).at(-1)!);
      const has = (name: string) =>
        own?.members.has(name) || own?.cube.hierarchies?.some((hierarchy) => hierarchy.name === name);
      const listed = [...(entry.includes === "*" ? [] : entry.includes.map(nameOf)), ...(entry.excludes ?? [])];
      if (own)
        for (const name of listed)
          if (!has(name)) say(`${entry.join_path}: ${own.cube.name} has no member called ${name}.`);
    }
    if (findings.flaws.length > count) continue;
    checkPathsDiffer(view, say);
    checkMembers(index, view, say);
  }
}

function checkPath(index: ModelIndex, path: readonly string[], say: Say): void {
  const shown = path.join(".");
  path.forEach((cube, i) => {
    const before = path[i - 1];
    if (isKeyword(cube) || !index.cubes.has(cube))
      say(index.views.has(cube) ? `${shown}: ${cube} is a view.` : `${shown}: there is no cube called ${cube}.`);
    else if (path.indexOf(cube) < i) say(`${shown} comes by ${cube} twice.`);
    else if (before !== undefined && index.cubes.has(before) && !findPath(index, before, cube))
      say(`${shown}: no join leads from ${before} to ${cube}.`);
  });
}

/** Cube takes one way to each cube from where a path begins; of two, one would be left out in silence. */
function checkPathsDiffer(view: View, say: Say): void {
  const ways = new Map<string, string>();
  for (const path of view.cubes.map(pathOf))
    path.forEach((cube, i) => {
      const way = path.slice(0, i + 1).join(".");
      const other = ways.get(`${path[0]}>${cube}`);
      if (other !== undefined && other !== way)
        say(`It comes to ${cube} by ${other} and by ${way}: for a second way, include a cube that extends ${cube}.`);
      ways.set(`${path[0]}>${cube}`, way);
    });
}

function checkMembers(index: ModelIndex, view: View, say: Say): void {
  const members = viewMembersOf(index, view);
  const names = new Set<string>();
  for (const { name } of members) {
    if (names.has(name)) say(`It has two members called ${name}: give one an alias, or its cube a prefix.`);
    names.add(name);
  }
  const seen = new Set<string>();
  const checkFolder = ({ name, includes }: Folder): void => {
    if (seen.has(name)) say(`It has two folders called ${name}.`);
    seen.add(name);
    if (includes === "*") return;
    for (const item of includes)
      if (typeof item === "string") {
        if (!names.has(item)) say(`The folder ${name} has ${item}, which the view does not include.`);
      } else if ("join_path" in item) {
        if (!view.cubes.some(({ join_path }) => join_path === item.join_path))
          say(`The folder ${name} has the cube ${item.join_path}, which the view does not include.`);
      } else checkFolder(item);
  };
  view.folders?.forEach(checkFolder);
}
