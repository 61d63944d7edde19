// A view's members: members of its cubes under names of its own.

import {
  MEMBER_KINDS,
  type CubeEntry,
  type Include,
  type ModelIndex,
  type View,
  type ViewCube,
} from "./definitions.ts";
import { resolveReference } from "./references.ts";

/** `entry` is the number of the view's cube that includes it; `path` leads to the member's cube. */
export type ViewMember = {
  name: string;
  entry: number;
  path: string[];
  cube: string;
  member: string;
  hierarchy: boolean;
};

export const pathOf = ({ join_path }: ViewCube): string[] => join_path.split(".");
export const nameOf = (include: Include): string => (typeof include === "string" ? include : include.name);
const aliasIn = (include: Include): string => (typeof include === "string" ? include : (include.alias ?? include.name));

/** The name that a member of an entry's cube has in the view. */
export function nameInView({ prefix, alias, join_path }: ViewCube, member: string): string {
  return prefix ? `${alias ?? join_path.split(".").at(-1)!}_${member}` : member;
}

/** In Cube's order, hierarchies among them; cubes that the model does not have offer nothing. */
export function viewMembersOf(index: ModelIndex, view: View): ViewMember[] {
  const entries = view.cubes.map((entry) => ({
    entry,
    path: pathOf(entry),
    own: index.cubes.get(pathOf(entry).at(-1)!),
  }));
  const listed = entries.flatMap(({ entry, path, own }, i) =>
    own ? membersOfEntry(entry, own).map((member) => ({ ...member, entry: i, path, cube: own.cube.name })) : [],
  );
  const levels = listed.flatMap(({ cube, member, hierarchy }) =>
    hierarchy ? levelsOf(index, index.cubes.get(cube)!, member) : [],
  );
  const withLevels = entries.flatMap(({ entry, path, own }, i) => {
    if (!own || entry.includes === "*") return [];
    const here = new Set(entry.includes.map(nameOf));
    return levels
      .filter((level) => level.cube === own.cube.name && !here.has(level.member))
      .filter(({ member }) => !entry.excludes?.includes(member))
      .map(({ cube, member }) => ({ name: nameInView(entry, member), entry: i, path, cube, member, hierarchy: false }));
  });
  const seen = new Set<string>();
  return [...listed, ...withLevels].filter(({ name, path, member }) => {
    const key = `${path.join(".")}.${member}|${name}`;
    return !seen.has(key) && seen.add(key);
  });
}

function membersOfEntry(
  entry: ViewCube,
  { cube, members }: CubeEntry,
): Pick<ViewMember, "name" | "member" | "hierarchy">[] {
  const hierarchies = new Set((cube.hierarchies ?? []).map(({ name }) => name));
  const all = [...hierarchies, ...MEMBER_KINDS.flatMap((kind) => (cube[kind] ?? []).map(({ name }) => name))];
  const chosen: { member: string; shown: string }[] =
    entry.includes === "*"
      ? all.map((member) => ({ member, shown: member }))
      : entry.includes
          .map((include) => ({ member: nameOf(include), shown: aliasIn(include) }))
          .filter(({ member }) => members.has(member) || hierarchies.has(member));
  return chosen
    .filter(({ member }) => !entry.excludes?.includes(member))
    .map(({ member, shown }) => ({ name: nameInView(entry, shown), member, hierarchy: hierarchies.has(member) }));
}

/** The dimensions of a hierarchy. */
export function levelsOf(index: ModelIndex, own: CubeEntry, hierarchy: string): { cube: string; member: string }[] {
  const levels = own.cube.hierarchies?.find(({ name }) => name === hierarchy)?.levels ?? [];
  return levels.flatMap((level) => {
    const target = resolveReference(index, own, level);
    return target.kind === "member" ? [{ cube: target.cube, member: target.member }] : [];
  });
}
