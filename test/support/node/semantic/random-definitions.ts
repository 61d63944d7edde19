// Models of any shape: joins in circles and both ways, members over members of other cubes, subqueries, views, parents.
// Nothing of it need mean anything; only how it hangs together is of interest.

import type { CubeDefinition, SemanticModel } from "../../../../kernel/semantic/model.ts";
import type { SemanticQuery } from "../../../../kernel/semantic/query.ts";
import { aSemanticQuery } from "./shop.ts";

export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0;
  }

  /** From 0 to below `end`. Mulberry32. */
  below(end: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % end;
  }

  chance(percent: number): boolean {
    return this.below(100) < percent;
  }

  one<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)]!;
  }

  some<Item>(items: readonly Item[], max: number): Item[] {
    const count = this.below(Math.min(max, items.length) + 1);
    return [...items].sort(() => this.below(3) - 1).slice(0, count);
  }
}

type Drawn = {
  name: string;
  joins: string[];
  measures: string[];
  dimensions: string[];
  times: string[];
  segments: string[];
  /** It has a subquery over a cube that joins lead from, and not to: they lead to no child of its own. */
  measuresBack: boolean;
};
export type RandomModel = {
  written: SemanticModel;
  cubes: Drawn[];
  views: { name: string; members: string[]; measures: string[] }[];
};

export function randomModel(random: Random): RandomModel {
  const names = Array.from({ length: 2 + random.below(6) }, (_, i) => `c${i}`);
  const cubes: Drawn[] = names.map((name) => ({
    name,
    joins: names.filter((other) => other !== name && random.chance(35)).sort(() => random.below(3) - 1),
    measures: [],
    dimensions: [],
    times: [],
    segments: [],
    measuresBack: false,
  }));
  const definitions = cubes.map((cube) => cubeOf(random, cube, cubes));
  // Cube takes hierarchies of one name, such as a child and its parent have, for each other.
  const parents = cubes.filter((cube, i) => definitions[i]!["hierarchies"] === undefined && !cube.measuresBack);
  if (parents.length > 0 && random.chance(40)) definitions.push(childOf(random, random.one(parents), cubes));
  const views = Array.from({ length: random.below(3) }, (_, i) => viewOf(random, `v${i}`, cubes));
  return {
    written: { cubes: definitions, views: views.map(({ definition }) => definition) },
    cubes,
    views: views.map(({ definition, members, measures }) => ({ name: definition.name, members, measures })),
  };
}

/** What joins lead to from a cube, itself among it. */
function reachable(from: string, cubes: readonly Drawn[]): Drawn[] {
  const found = new Set([from]);
  for (const name of found) for (const next of cubes.find((cube) => cube.name === name)!.joins) found.add(next);
  return cubes.filter(({ name }) => found.has(name));
}

/** Members refer to what was drawn before them, so that nothing refers to itself. */
function cubeOf(random: Random, cube: Drawn, cubes: readonly Drawn[]): CubeDefinition {
  const { name } = cube;
  const others = reachable(name, cubes);
  const anyDimension = (): string => {
    const other = random.one(others);
    if (other === cube)
      return cube.dimensions.length > 0 && random.chance(60) ? `{${random.one(cube.dimensions)}}` : "{CUBE}.a";
    return other.dimensions.length > 0 ? `{${other.name}.${random.one(other.dimensions)}}` : "{CUBE}.b";
  };
  const dimensions: Record<string, unknown>[] = [{ name: "id", sql: "id", type: "number", primary_key: true }];
  cube.dimensions.push("id");
  for (let i = random.below(4); i > 0; i--) {
    const dimension = `d${i}`;
    dimensions.push({
      name: dimension,
      sql: random.chance(30) ? `concat(${anyDimension()}, ${anyDimension()})` : anyDimension(),
      type: "string",
    });
    cube.dimensions.push(dimension);
  }
  if (random.chance(60)) {
    dimensions.push({
      name: "at",
      sql: "{CUBE}.at",
      type: "time",
      granularities: [{ name: "fortnight", interval: "2 weeks", origin: "2024-01-01" }],
    });
    cube.times.push("at");
  }
  if (cube.times.length > 0 && random.chance(40)) {
    dimensions.push({ name: "by_day", sql: random.chance(50) ? "{at.day}" : "{CUBE.at.fortnight}", type: "time" });
    cube.dimensions.push("by_day");
  }
  const measures: Record<string, unknown>[] = [{ name: "count", type: "count" }];
  cube.measures.push("count");
  for (let i = random.below(4); i > 0; i--) {
    const measure = `m${i}`;
    measures.push({
      name: measure,
      type: random.one(["sum", "avg", "min", "count_distinct"]),
      sql: random.chance(60) ? "{CUBE}.amount" : anyDimension(),
      ...(random.chance(30) ? { filters: [{ sql: `${anyDimension()} = 'x'` }] } : {}),
      ...(cube.times.length > 0 && random.chance(10) ? { rolling_window: { trailing: "7 day" } } : {}),
    });
    cube.measures.push(measure);
  }
  if (random.chance(50)) {
    const measured = others.filter(({ measures: known }) => known.length > 0);
    const anyMeasure = (): string => {
      const other = random.one(measured);
      return `{${other === cube ? "" : `${other.name}.`}${random.one(other.measures)}}`;
    };
    measures.push({ name: "ratio", type: "number", sql: `nullif(${anyMeasure()}, ${anyMeasure()})` });
    cube.measures.push("ratio");
  }
  for (const inner of ["inner", "inner2"]) {
    const near = cubes.filter((other) => others.includes(other) || reachable(other.name, cubes).includes(cube));
    const counted = near.filter((other) => other !== cube && other.measures.includes("m1"));
    if (counted.length === 0 || !random.chance(30)) continue;
    const other = random.one(counted);
    cube.measuresBack ||= !others.includes(other);
    dimensions.push({
      name: inner,
      sql: `{${other.name}.${random.one(other.measures)}}`,
      type: "number",
      sub_query: true,
      ...(random.chance(40) ? { propagate_filters_to_sub_query: true } : {}),
    });
    cube.dimensions.push(inner);
  }
  const segments = random.chance(40) ? [{ name: "some", sql: `coalesce(${anyDimension()} = 'y', false)` }] : [];
  if (segments.length > 0) cube.segments.push("some");
  return {
    name,
    sql_table: `t_${name}`,
    joins: cube.joins.map((other) => ({
      name: other,
      relationship: random.one(["one_to_one", "one_to_many", "many_to_one"]),
      sql: conditionOf(random, cube, other, others),
    })),
    dimensions,
    measures,
    segments,
    ...(random.chance(20)
      ? { hierarchies: [{ name: `levels_${name}`, levels: random.some(["id", ...cube.dimensions], 3).concat("id") }] }
      : {}),
  };
}

/** Some name a third cube: then that has to be joined before. */
function conditionOf(random: Random, cube: Drawn, other: string, others: readonly Drawn[]): string {
  const third = others.filter(({ name }) => name !== cube.name && name !== other);
  const more = third.length > 0 && random.chance(15) ? ` AND {${random.one(third).name}}.z = {CUBE}.z` : "";
  const own = random.chance(30) ? "{id}" : `{CUBE}.${other}_id`;
  return `${own} = ${random.chance(50) ? `{${other}.id}` : `{${other}}.id`}${more}`;
}

function childOf(random: Random, parent: Drawn, cubes: Drawn[]): CubeDefinition {
  cubes.push({ ...parent, name: "child" });
  return {
    name: "child",
    extends: parent.name,
    ...(random.chance(50) ? { sql_table: "t_child" } : {}),
    ...(random.chance(50) ? { measures: [{ name: "count", type: "count", filters: [{ sql: "{CUBE}.x" }] }] } : {}),
    ...(random.chance(50) && parent.joins.length > 0
      ? { joins: [{ name: random.one(parent.joins), relationship: "many_to_one", sql: "{CUBE}.other = 1" }] }
      : {}),
  };
}

function viewOf(random: Random, name: string, cubes: readonly Drawn[]) {
  const path = [random.one(cubes).name];
  const entries: { join_path: string; includes: "*" | string[]; prefix: boolean }[] = [];
  const members: string[] = [];
  const measures: string[] = [];
  const add = (): void => {
    const cube = cubes.find((one) => one.name === path.at(-1))!;
    const includes = random.chance(50)
      ? "*"
      : ["id", ...random.some(cube.measures, 2), ...random.some(cube.dimensions.slice(1), 2)];
    entries.push({ join_path: path.join("."), includes, prefix: true });
    const included = (list: readonly string[]) =>
      list.filter((member) => includes === "*" || includes.includes(member));
    members.push(...included(cube.dimensions).map((member) => `${name}.${cube.name}_${member}`));
    measures.push(...included(cube.measures).map((member) => `${name}.${cube.name}_${member}`));
  };
  add();
  for (let i = random.below(4); i > 0; i--) {
    const next = cubes.find((one) => one.name === path.at(-1))!.joins.filter((other) => !path.includes(other));
    if (next.length === 0) break;
    path.push(random.one(next));
    if (random.chance(80)) add();
  }
  return {
    definition: { name, cubes: random.chance(70) ? entries : entries.reverse() } as CubeDefinition,
    members,
    measures,
  };
}

/** Members of one view, or of a few cubes. */
export function randomQuery(random: Random, { cubes, views }: RandomModel): SemanticQuery {
  const view = views.length > 0 && random.chance(40) ? random.one(views) : undefined;
  const chosen = random.some(cubes, 3);
  const of = (kind: "measures" | "dimensions" | "times" | "segments"): string[] =>
    chosen.flatMap((cube) => cube[kind].map((member) => `${cube.name}.${member}`));
  const measures = random.some(view?.measures ?? of("measures"), 3);
  const dimensions = random.some(view?.members ?? of("dimensions"), 2);
  const times = view ? [] : random.some(of("times"), 1);
  const filtered = random.some(view?.members ?? of("dimensions"), 1);
  return aSemanticQuery({
    measures,
    dimensions: measures.length + dimensions.length === 0 ? ["c0.id"] : dimensions,
    timeDimensions: times.map((dimension) => ({
      dimension,
      granularity: random.one(["day", "month", "fortnight"]),
      dateRange: ["2024-01-01T00:00:00.000", "2024-02-01T00:00:00.000"],
    })),
    segments: view ? [] : random.some(of("segments"), 1),
    filters: filtered.map((member) => ({ member, operator: "equals", values: ["7"] })),
    ...(random.chance(10) ? { joinHints: [random.some(cubes, 3).map(({ name }) => name)] } : {}),
  });
}
