// The answer to a semantic query by nested loops over plain values: rows are joined one by one, filtered one by one,
// and each measure is taken over the distinct rows of its own cube, in a join of its own. It shares no code with what
// it is held against.

import type { SemanticFilter, SemanticQuery } from "../../../../../kernel/semantic/query.ts";
import { allOf, filterTruth, type Truth, type ValueKind } from "./filter-truth.ts";
import { instantOf, showLocal, toInstant, toLocal, truncate } from "./local-times.ts";
import {
  findNamed,
  type ProofCondition,
  type ProofCube,
  type ProofDimension,
  type ProofJoin,
  type ProofMeasure,
} from "../proof-model.ts";
import type { ProofRow } from "../proof-servers.ts";
import type { Cell, ProofTable } from "../proof-tables.ts";

type Row = Record<string, Cell>;
/** A row of the join: of each cube one of its rows, or none. */
type Joined = Record<string, Row | null>;
/** What the query's dimensions have in common, and the rows of each fact that have it. */
type Group = { key: ProofRow; rowsOf: Map<string, Joined[]> };
type JoinTree = { root: string; steps: Step[] };
type Step = { from: string; join: ProofJoin };

export class NestedLoops {
  readonly #tables: readonly ProofTable[];
  readonly #cubes: readonly ProofCube[];

  constructor(tables: readonly ProofTable[], cubes: readonly ProofCube[]) {
    this.#tables = tables;
    this.#cubes = cubes;
  }

  /** Whether each of the query's facts alone can be joined with what the query groups and filters by. */
  canJoin(query: SemanticQuery): boolean {
    return this.#factsOf(query).every((fact) => this.#joinTree(this.#cubesOf(query, fact)) !== null);
  }

  /** In no order, without limit and offset. */
  answer(query: SemanticQuery): ProofRow[] {
    const groups = new Map<string, Group>();
    const isGrouped = query.dimensions.length + query.timeDimensions.filter((each) => each.granularity).length > 0;
    if (!isGrouped) groups.set("{}", { key: {}, rowsOf: new Map() });
    // Each fact is joined by itself: what another has or lacks of a group changes nothing of it.
    for (const fact of this.#factsOf(query)) {
      for (const joined of this.#join(query, fact).filter((each) => this.#passes(query, each))) {
        const key = this.#keyOf(query, joined);
        const id = JSON.stringify(key);
        const group = groups.get(id) ?? { key, rowsOf: new Map<string, Joined[]>() };
        groups.set(id, group);
        const rows = group.rowsOf.get(fact ?? "") ?? [];
        rows.push(joined);
        group.rowsOf.set(fact ?? "", rows);
      }
    }
    return [...groups.values()]
      .filter((group) => this.#measuresPass(query, group))
      .map((group) => ({
        ...group.key,
        ...Object.fromEntries(query.measures.map((member) => [member, this.#measured(member, group)])),
      }));
  }

  #cube(name: string): ProofCube {
    return findNamed(this.#cubes, name);
  }

  #dimension(member: string): [ProofCube, ProofDimension | undefined] {
    const [cube, name] = member.split(".") as [string, string];
    return [this.#cube(cube), this.#cube(cube).dimensions.find((each) => each.name === name)];
  }

  #measureOf(member: string): ProofMeasure | undefined {
    const [cube, name] = member.split(".") as [string, string];
    return this.#cube(cube).measures.find((each) => each.name === name);
  }

  #rowsOf(cube: string): Row[] {
    return findNamed(this.#tables, this.#cube(cube).table).rows;
  }

  // ── The join ─────────────────────────────────────────────────────────────────────────────────────────────────────

  /** The measures that are taken by themselves; none where a query has no measure. */
  #factsOf(query: SemanticQuery): (string | undefined)[] {
    const filtered = query.filters.flatMap(membersOf).filter((member) => this.#measureOf(member));
    const facts = [...new Set([...query.measures, ...filtered].flatMap((member) => this.#leavesOf(member)))];
    return facts.length === 0 ? [undefined] : facts;
  }

  #leavesOf(member: string): string[] {
    const measure = this.#measureOf(member);
    if (measure?.kind !== "ratio") return [member];
    return [`${member.split(".")[0]}.${measure.numerator}`, measure.denominator];
  }

  /** The cubes that a fact of a query names, in the order in which one is tried as the root of the join. */
  #cubesOf(query: SemanticQuery, fact: string | undefined): string[] {
    const members = [
      ...(fact === undefined ? [] : [fact]),
      ...query.dimensions,
      ...query.segments,
      ...query.filters.flatMap(membersOf).filter((member) => !this.#measureOf(member)),
      ...query.timeDimensions.map(({ dimension }) => dimension),
    ];
    return [...new Set(members.flatMap((member) => this.#cubesOfMember(member)))];
  }

  #cubesOfMember(member: string): string[] {
    const own = member.split(".")[0]!;
    const [, dimension] = this.#dimension(member);
    return dimension?.kind === "through" ? [own, ...this.#cubesOfMember(dimension.of)] : [own];
  }

  /** The smallest join from one of the cubes to all others, the first cube's where several are as small. */
  #joinTree(cubes: readonly string[]): JoinTree | null {
    let best: JoinTree | null = null;
    for (const root of cubes) {
      const steps: Step[] = [];
      const reached = cubes.every((to) => {
        const path = this.#path(root, to);
        for (const step of path ?? []) if (!steps.some(({ join }) => join === step.join)) steps.push(step);
        return path !== null;
      });
      if (reached && (best === null || steps.length < best.steps.length)) best = { root, steps };
    }
    return best;
  }

  #path(from: string, to: string): Step[] | null {
    const paths = new Map<string, Step[]>([[from, []]]);
    for (const [at, path] of paths)
      for (const join of this.#cube(at).joins)
        if (!paths.has(join.to)) paths.set(join.to, [...path, { from: at, join }]);
    return paths.get(to) ?? null;
  }

  #join(query: SemanticQuery, fact: string | undefined): Joined[] {
    const tree = this.#joinTree(this.#cubesOf(query, fact));
    if (!tree) throw new Error("The query's cubes can't be joined.");
    return this.#joinAlong(tree.root, tree.steps);
  }

  #joinAlong(root: string, steps: readonly Step[]): Joined[] {
    let rows: Joined[] = this.#rowsOf(root).map((row) => ({ [root]: row }));
    for (const { from, join } of steps)
      rows = rows.flatMap((joined) => {
        const key = joined[from]?.[join.on[0]] ?? null;
        const others = key === null ? [] : this.#rowsOf(join.to).filter((other) => other[join.on[1]] === key);
        return others.length === 0
          ? [{ ...joined, [join.to]: null }]
          : others.map((other) => ({ ...joined, [join.to]: other }));
      });
    return rows;
  }

  // ── Conditions ───────────────────────────────────────────────────────────────────────────────────────────────────

  #passes(query: SemanticQuery, joined: Joined): boolean {
    const zone = query.timezone;
    const truths: Truth[] = query.filters
      .filter((filter) => !this.#measureOf(membersOf(filter)[0]!))
      .map((filter) => filterTruth(filter, (member) => this.#look(member, joined), zone));
    for (const { dimension, dateRange } of query.timeDimensions) {
      const [value] = this.#look(dimension, joined);
      if (!dateRange) continue;
      const [from, to] = dateRange.map((local) => toInstant(local, zone)) as [number, number];
      truths.push(value === null ? null : instantOf(value) >= from && instantOf(value) <= to);
    }
    for (const member of query.segments) {
      const [cube, name] = member.split(".") as [string, string];
      truths.push(conditionTruth(findNamed(this.#cube(cube).segments, name).where, joined[cube] ?? null));
    }
    return allOf(truths) === true;
  }

  #measuresPass(query: SemanticQuery, group: Group): boolean {
    const truths = query.filters
      .filter((filter) => this.#measureOf(membersOf(filter)[0]!))
      .map((filter) => filterTruth(filter, (member) => [this.#measured(member, group), "number"], query.timezone));
    return allOf(truths) === true;
  }

  // ── Members ──────────────────────────────────────────────────────────────────────────────────────────────────────

  #look(member: string, joined: Joined): [Cell, ValueKind] {
    const [cube, dimension] = this.#dimension(member);
    if (!dimension) throw new Error(`There is no ${member}.`);
    if (dimension.kind === "through") return this.#look(dimension.of, joined);
    const row = joined[cube.name] ?? null;
    if (dimension.kind !== "measured") return [row?.[dimension.column] ?? null, dimension.kind];
    return [row && this.#measuredOfRow(cube.name, row, dimension.of), "number"];
  }

  /** A measure of what is joined to one row. */
  #measuredOfRow(cube: string, row: Row, of: string): Cell {
    const steps = this.#path(cube, of.split(".")[0]!);
    if (!steps) throw new Error(`${cube} does not reach ${of}.`);
    return this.#measure(
      of,
      this.#joinAlong(cube, steps).filter((joined) => joined[cube] === row),
    );
  }

  #keyOf(query: SemanticQuery, joined: Joined): ProofRow {
    const key: ProofRow = Object.fromEntries(
      query.dimensions.map((member) => {
        const [value, kind] = this.#look(member, joined);
        const isTime = kind === "time" && value !== null;
        return [member, isTime ? showLocal(toLocal(instantOf(value), query.timezone)) : value];
      }),
    );
    for (const { dimension, granularity } of query.timeDimensions) {
      if (!granularity) continue;
      const [value] = this.#look(dimension, joined);
      const local = value === null ? null : toLocal(instantOf(value), query.timezone);
      const shown = local === null ? null : showLocal(truncate(local, granularity));
      key[`${dimension}.${granularity}`] = shown;
      key[dimension] = shown;
    }
    return key;
  }

  /** A measure of a group: of the rows of its own fact, or made of two that are. */
  #measured(member: string, group: Group): Cell {
    const leaves = this.#leavesOf(member);
    const values = leaves.map((leaf) => this.#measure(leaf, group.rowsOf.get(leaf) ?? []));
    const [top, under] = values as [Cell, Cell?];
    if (under === undefined) return top;
    return top === null || under === null || under === 0 ? null : Number(top) / Number(under);
  }

  /** Over the distinct rows of the measure's cube: a row counts once, however often a join repeats it. */
  #measure(member: string, rows: readonly Joined[]): Cell {
    const [cube] = member.split(".") as [string];
    const measure = this.#measureOf(member);
    if (!measure || measure.kind === "ratio") throw new Error(`${member} is no measure of rows.`);
    const distinct = [...new Set(rows.map((joined) => joined[cube]))].filter((row): row is Row => !!row);
    const taken = distinct.filter((row) => !measure.where || conditionTruth(measure.where, row) === true);
    if (measure.kind === "count") return taken.length;
    const values = taken.map((row) => row[measure.column]!).filter((value) => value !== null);
    if (measure.kind === "count_distinct") return new Set(values).size;
    return aggregate(measure.kind, values.map(Number));
  }
}

function aggregate(kind: "sum" | "avg" | "min" | "max", values: readonly number[]): Cell {
  if (values.length === 0) return null;
  const sum = values.reduce((a, b) => a + b, 0);
  if (kind === "sum") return sum;
  if (kind === "avg") return sum / values.length;
  return kind === "min" ? Math.min(...values) : Math.max(...values);
}

function conditionTruth(where: ProofCondition, row: Row | null): Truth {
  const value = row?.[where.column] ?? null;
  if ("missing" in where) return (value === null) === where.missing;
  if (value === null) return null;
  return "over" in where ? Number(value) > where.over : value === where.is;
}

function membersOf(filter: SemanticFilter): string[] {
  if ("and" in filter) return filter.and.flatMap(membersOf);
  return "or" in filter ? filter.or.flatMap(membersOf) : [filter.member];
}
