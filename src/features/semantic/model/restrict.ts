// A model without some of its cubes and members, and without all that can't be said without them: members that refer
// to them, joins by them, what views include of them.

import type { SemanticModel } from "../../../../kernel/semantic/model.ts";
import {
  indexModel,
  MEMBER_KINDS,
  type Cube,
  type CubeEntry,
  type Folder,
  type Join,
  type Member,
  type ModelIndex,
  type View,
  type ViewCube,
} from "./definitions.ts";
import { findMissingJoin, findPath } from "./join-graph.ts";
import { resolveReference, targetsIn, targetsOf, type Target } from "./references.ts";
import { nameOf, pathOf, viewMembersOf } from "./view-members.ts";

/** The parts that stay; `member` is asked for `cube.member` of cubes, and `view.member` of views. */
export type Kept = { cube: (name: string) => boolean; member: (path: string) => boolean };

/**
 * A join stays where both its cubes do, with every dimension of their primary keys: with a part of a key, rows that
 * differ would count as one. A view without members goes. The order of what stays is the order it had.
 */
export function restrictModel(definitions: SemanticModel, kept: Kept): SemanticModel {
  const restriction = new Restriction(indexModel(definitions), kept);
  const cubes = (definitions.cubes as Cube[])
    .filter(({ name }) => kept.cube(name))
    .map((cube) => restriction.ofCube(cube));
  const left = indexModel({ cubes, views: [] });
  const views = (definitions.views as View[]).flatMap((view) => restriction.ofView(view, left));
  return { cubes, views };
}

class Restriction {
  readonly #index: ModelIndex;
  readonly #kept: Kept;
  readonly #members = new Map<string, boolean>();
  readonly #joins: Pick<ModelIndex, "cubes">;

  constructor(index: ModelIndex, kept: Kept) {
    this.#index = index;
    this.#kept = kept;
    const entries = [...index.cubes].filter(([name]) => kept.cube(name));
    this.#joins = { cubes: new Map(entries) };
    // Whether a member stays hangs on the joins that do, and whether a join stays on members. Each round takes joins
    // away or is the last.
    for (let before = Number.POSITIVE_INFINITY; this.#joinCount < before; ) {
      before = this.#joinCount;
      this.#members.clear();
      const left = [...this.#joins.cubes].map(
        ([name, entry]) => [name, { ...entry, cube: this.#withJoins(entry) }] as const,
      );
      this.#joins = { cubes: new Map(left) };
    }
    this.#members.clear();
  }

  get #joinCount(): number {
    return [...this.#joins.cubes.values()].reduce((sum, { cube }) => sum + (cube.joins?.length ?? 0), 0);
  }

  ofCube(cube: Cube): Cube {
    const own = this.#index.cubes.get(cube.name)!;
    const left: Cube = { ...this.#joins.cubes.get(cube.name)!.cube };
    for (const kind of MEMBER_KINDS)
      if (cube[kind])
        left[kind] = cube[kind]
          .filter((member) => this.#hasMember(own, member))
          .map((member) => this.#withDrill(own, member)) as never;
    if (cube.hierarchies)
      left.hierarchies = cube.hierarchies
        .map((hierarchy) => ({
          ...hierarchy,
          levels: hierarchy.levels.filter((level) => this.#hasReference(own, level)),
        }))
        .filter(({ levels }) => levels.length > 0);
    return left;
  }

  /** `left`: the cubes that stay. */
  ofView(view: View, left: ModelIndex): View[] {
    if (!this.#kept.cube(view.name)) return [];
    const members = viewMembersOf(this.#index, view).filter(
      ({ name, cube, member, hierarchy }) =>
        hierarchy || (left.cubes.get(cube)?.members.has(member) && this.#kept.member(`${view.name}.${name}`)),
    );
    const cubes = view.cubes.flatMap((entry, i) => {
      if (!hasPath(left, pathOf(entry))) return [];
      const names = new Set(members.filter((member) => member.entry === i).map(({ member }) => member));
      const own = left.cubes.get(pathOf(entry).at(-1)!)!.cube;
      const goneHierarchy = (name: string) =>
        this.#index.cubes.get(own.name)!.cube.hierarchies?.some((hierarchy) => hierarchy.name === name) &&
        !own.hierarchies?.some((hierarchy) => hierarchy.name === name);
      return [this.#entryOf(entry, (name) => names.has(name) && !goneHierarchy(name))];
    });
    const names = new Set(viewMembersOf(left, { ...view, cubes }).map(({ name }) => name));
    if (!members.some(({ name, hierarchy }) => !hierarchy && names.has(name))) return [];
    const folders = view.folders && foldersOf(view.folders, names, cubes);
    return [{ ...view, cubes, ...(folders ? { folders } : {}) }];
  }

  #entryOf(entry: ViewCube, has: (member: string) => boolean): ViewCube {
    const { cube, members } = this.#index.cubes.get(pathOf(entry).at(-1)!)!;
    const listed =
      entry.includes === "*"
        ? [...(cube.hierarchies ?? []).map(({ name }) => name), ...members.keys()].filter(
            (name) => !entry.excludes?.includes(name),
          )
        : entry.includes;
    const { excludes: _, ...rest } = entry;
    return { ...rest, includes: listed.filter((include) => has(nameOf(include))) };
  }

  #withJoins(own: CubeEntry): Cube {
    const { joins, ...cube } = own.cube;
    return joins ? { ...cube, joins: joins.filter((join) => this.#hasJoin(own, join)) } : cube;
  }

  #hasJoin(own: CubeEntry, join: Join): boolean {
    const other = this.#joins.cubes.get(join.name);
    return (
      other !== undefined &&
      [own, other].every((entry) => this.#hasKey(entry)) &&
      // A cube that only the condition names is joined from wherever the query comes to it.
      targetsIn(this.#index, own, join.sql).every((target) => this.#isThere(target))
    );
  }

  #hasKey(own: CubeEntry): boolean {
    return (own.cube.dimensions ?? []).every((dimension) => !dimension.primary_key || this.#hasMember(own, dimension));
  }

  #hasMember(own: CubeEntry, member: Member): boolean {
    const path = `${own.cube.name}.${member.name}`;
    const known = this.#members.get(path);
    if (known !== undefined) return known;
    const has =
      this.#kept.cube(own.cube.name) &&
      this.#kept.member(path) &&
      targetsOf(this.#index, own, member).every((target) => this.#hasTarget(own, target));
    this.#members.set(path, has);
    return has;
  }

  #hasTarget(own: CubeEntry, target: Target): boolean {
    return findMissingJoin(this.#joins, own.cube.name, target.path) === undefined && this.#isThere(target);
  }

  #isThere(target: Target): boolean {
    const cube = this.#index.cubes.get(target.cube)!;
    return (
      [...target.path, target.cube].every((name) => this.#kept.cube(name)) &&
      (target.kind === "cube" || this.#hasMember(cube, cube.members.get(target.member)!.member))
    );
  }

  #hasReference(own: CubeEntry, reference: string): boolean {
    const target = resolveReference(this.#index, own, reference);
    return target.kind !== "flaw" && this.#hasTarget(own, target);
  }

  #withDrill(own: CubeEntry, member: Member): Member {
    if (!("drill_members" in member) || !member.drill_members) return member;
    return { ...member, drill_members: member.drill_members.filter((reference) => this.#hasReference(own, reference)) };
  }
}

const hasPath = (index: Pick<ModelIndex, "cubes">, stops: readonly string[]): boolean =>
  stops.every((cube, i) => index.cubes.has(cube) && (i === 0 || findPath(index, stops[i - 1]!, cube) !== undefined));

type FolderItem = Exclude<Folder["includes"], "*">[number];

function foldersOf(folders: readonly Folder[], names: ReadonlySet<string>, cubes: readonly ViewCube[]): Folder[] {
  const stays = (item: FolderItem): FolderItem[] => {
    if (typeof item === "string") return names.has(item) ? [item] : [];
    if ("join_path" in item) return cubes.some(({ join_path }) => join_path === item.join_path) ? [item] : [];
    return foldersOf([item], names, cubes);
  };
  return folders.map((folder) => ({
    ...folder,
    includes: folder.includes === "*" ? "*" : folder.includes.flatMap(stays),
  }));
}
