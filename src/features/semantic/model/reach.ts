// The part of a model that a query needs: compiled alone it gives the same SQL as the whole. Compiling takes time with
// every cube, and a query reads few of them.

import type { SemanticModel } from "../../../../kernel/semantic/model.ts";
import { SEMANTIC_LIMITS } from "../limits.ts";
import { LruMap } from "../../../../kernel/text/lru-map.ts";
import {
  indexModel,
  type Cube,
  type CubeEntry,
  type Member,
  type ModelIndex,
  type View,
  type ViewCube,
} from "./definitions.ts";
import { findPath, joinBetween } from "./join-graph.ts";
import { targetsIn, targetsOf, type Target } from "./references.ts";
import { restrictModel } from "./restrict.ts";
import { nameOf, pathOf, viewMembersOf, type ViewMember } from "./view-members.ts";

/** By definitions, which nobody changes: what the queries that came last have reached, by all that they named. */
const REACHED = new WeakMap<SemanticModel, LruMap<SemanticModel>>();

/**
 * `members`: all that a query names, `cube.member` or `cube.time.granularity`; `joinHints` its paths of cubes. Members
 * that the model does not have reach nothing. What only people read is left out.
 */
export function reach(
  definitions: SemanticModel,
  members: readonly string[],
  joinHints: readonly (readonly string[])[] = [],
): SemanticModel {
  const kept = REACHED.get(definitions) ?? new LruMap<SemanticModel>(SEMANTIC_LIMITS.reachesPerModelMax);
  REACHED.set(definitions, kept);
  const key = JSON.stringify([members, joinHints]);
  const known = kept.get(key) ?? findReached(definitions, members, joinHints);
  kept.set(key, known);
  return known;
}

function findReached(
  definitions: SemanticModel,
  members: readonly string[],
  joinHints: readonly (readonly string[])[],
): SemanticModel {
  const reached = new Reached(indexModel(definitions));
  for (const member of members) reached.addMember(member);
  for (const hint of joinHints) for (const cube of hint) reached.addCube(cube);
  return reached.model(definitions);
}

class Reached {
  readonly #index: ModelIndex;
  /** That Cube looks for joins between: the queried members' own, and those that they name. */
  readonly #named = new Set<string>();
  /** The query's cubes, and those on the ways between them. */
  readonly #cubes = new Set<string>();
  readonly #views = new Map<string, Set<string>>();
  readonly #members = new Set<string>();
  readonly #joins = new Set<string>();

  constructor(index: ModelIndex) {
    this.#index = index;
  }

  addMember(path: string): void {
    const [name = "", memberName = ""] = path.split(".");
    const view = this.#index.views.get(name);
    if (view) {
      const member = viewMembersOf(this.#index, view).find((one) => one.name === memberName);
      if (member) this.#addViewMember(name, member);
      return;
    }
    const own = this.#index.cubes.get(name);
    const found = own?.members.get(memberName);
    if (!own || !found) return;
    this.addCube(name);
    this.#addMember(own, found.member);
  }

  addCube(name: string): void {
    const own = this.#index.cubes.get(name);
    if (!own || this.#named.has(name)) return;
    this.#named.add(name);
    this.#addKeys(own);
  }

  #addViewMember(view: string, { name, path, cube, member }: ViewMember): void {
    const names = this.#views.get(view) ?? new Set();
    this.#views.set(view, names.add(name));
    for (const step of path) this.addCube(step);
    const own = this.#index.cubes.get(cube)!;
    const found = own.members.get(member);
    if (found) this.#addMember(own, found.member);
  }

  #addMember(own: CubeEntry, member: Member): void {
    const path = `${own.cube.name}.${member.name}`;
    if (this.#members.has(path)) return;
    this.#members.add(path);
    for (const target of targetsOf(this.#index, own, member)) this.#addTarget(target, [own.cube.name]);
  }

  /** Its cubes are named, but for those that are `known` to be joined. */
  #addTarget(target: Target, known: readonly string[] = []): void {
    for (const cube of [...target.path, target.cube]) if (!known.includes(cube)) this.addCube(cube);
    if (target.kind !== "member") return;
    const cube = this.#index.cubes.get(target.cube)!;
    this.#addMember(cube, cube.members.get(target.member)!.member);
  }

  /** Where rows are repeated, measures are computed by the keys. */
  #addKeys(own: CubeEntry): void {
    this.#cubes.add(own.cube.name);
    for (const dimension of own.cube.dimensions ?? []) if (dimension.primary_key) this.#addMember(own, dimension);
  }

  /** Until nothing is added: what a join's SQL names can need further joins. */
  #addJoins(): void {
    const done = new Set<string>();
    for (let before = -1; before < this.#named.size; ) {
      before = this.#named.size;
      const named = [...this.#named];
      for (const from of named)
        for (const to of named) {
          const pair = `${from}>${to}`;
          if (done.has(pair)) continue;
          done.add(pair);
          const path = findPath(this.#index, from, to) ?? [];
          path.slice(1).forEach((cube, i) => this.#addJoin(path[i]!, cube));
        }
    }
  }

  #addJoin(from: string, to: string): void {
    if (this.#joins.has(`${from}>${to}`)) return;
    this.#joins.add(`${from}>${to}`);
    const own = this.#index.cubes.get(from)!;
    for (const entry of [own, this.#index.cubes.get(to)!]) this.#addKeys(entry);
    for (const target of targetsIn(this.#index, own, joinBetween(this.#index, from, to)!.sql))
      this.#addTarget(target, [from, to]);
  }

  model(definitions: SemanticModel): SemanticModel {
    for (let before = -1; before < this.#named.size; ) {
      before = this.#named.size;
      this.#addJoins();
      this.#addViewPaths();
    }
    const left = restrictModel(
      { cubes: definitions.cubes, views: this.#viewsOf(definitions) },
      { cube: (name) => this.#cubes.has(name) || this.#views.has(name), member: () => true },
    );
    return { cubes: (left.cubes as Cube[]).map(withoutWords), views: (left.views as View[]).map(withoutWords) };
  }

  /**
   * By the paths of a view Cube finds the joins of all that the query names. Where one of them leads to a cube that is
   * reached otherwise too, it is taken all the same.
   */
  #addViewPaths(): void {
    for (const name of this.#views.keys())
      for (const entry of this.#index.views.get(name)!.cubes)
        for (const cube of this.#reachedPath(entry)) this.addCube(cube);
  }

  /** An entry's path as far as it leads to cubes that are reached. */
  #reachedPath(entry: ViewCube): string[] {
    const path = pathOf(entry);
    return path.slice(0, path.findLastIndex((cube) => this.#cubes.has(cube)) + 1);
  }

  /** Members one by one: what a hierarchy brings along stays without it. */
  #withNames(view: View, entry: ViewCube, i: number): ViewCube {
    const members = viewMembersOf(this.#index, view).filter((member) => member.entry === i && !member.hierarchy);
    const written = new Map(
      (entry.includes === "*" ? [] : entry.includes).map((include) => [nameOf(include), include]),
    );
    const { excludes: _, ...rest } = entry;
    return { ...rest, includes: [...new Set(members.map(({ member }) => written.get(member) ?? member))] };
  }

  /** Entries that the query does not use keep their paths only. */
  #viewsOf(definitions: SemanticModel): View[] {
    return (definitions.views as View[])
      .filter(({ name }) => this.#views.has(name))
      .map((view) => ({
        ...view,
        cubes: view.cubes.flatMap((entry, i) => {
          const path = this.#reachedPath(entry);
          if (path.length === pathOf(entry).length) return [this.#withNames(view, entry, i)];
          return path.length < 2 ? [] : [{ join_path: path.join("."), includes: [] }];
        }),
      }));
  }
}

const WORDS = new Set(
  (
    "title description meta format currency public shown visible drill_members aliases hierarchies folders order " +
    "suggest_filter_values enable_suggestions"
  ).split(" "),
);

/** Without what changes no SQL. */
function withoutWords<Defined extends object>(definition: Defined): Defined {
  return JSON.parse(JSON.stringify(definition, (key, value) => (WORDS.has(key) ? undefined : value)));
}
