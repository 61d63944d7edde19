// Random tables and random models over them: trees of cubes whose joins go one way, the other, or both.

import type { Random } from "../../sources/mutations.ts";
import type { ProofCondition, ProofCube, ProofDimension, ProofJoin, ProofMeasure } from "../proof-model.ts";
import type { Cell, ProofTable } from "../proof-tables.ts";

export const TABLES = ["t0", "t1", "t2", "t3"] as const;
const ROWS = 13;

/** Some are patterns of others, if a pattern were what they are taken for. */
export const WORDS = ["a", "aXb", "a_b", "50%", "505", "O'Neil", "B b", null] as const;
/** Around a change of clocks, the ends of days, weeks, months and years, and twice the same. */
export const TIMES = [
  "2023-12-31 23:30:00",
  "2024-01-01 00:00:00",
  "2024-02-29 12:00:00",
  "2024-03-10 06:59:59",
  "2024-03-10 07:00:00",
  "2024-03-31 00:30:00",
  "2024-03-31 01:30:00",
  "2024-07-01 03:59:59",
  "2024-10-27 00:30:00",
  "2024-10-27 01:30:00",
  "2024-11-03 05:30:00",
  "2024-11-03 06:30:00",
  null,
] as const;

export const pickOf = <T>(random: Random, list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
export const below = (random: Random, bound: number): number => Math.floor(random() * bound);
export const chance = (random: Random, share: number): boolean => random() < share;
/** Each of a list with an even chance, in a random order. */
export function someOf<T>(random: Random, list: readonly T[], most: number): T[] {
  const shuffled = [...list].map((value) => ({ value, at: random() })).sort((a, b) => a.at - b.at);
  return shuffled.slice(0, below(random, most + 1)).map(({ value }) => value);
}

const orNull = (random: Random, value: Cell): Cell => (chance(random, 0.15) ? null : value);

export function randomTables(random: Random): ProofTable[] {
  return TABLES.map((name) => ({
    name,
    columns: {
      id: "integer",
      k1: "integer",
      k2: "integer",
      s: "text",
      n: "integer",
      r: "double",
      f: "boolean",
      made: "time",
      ...Object.fromEntries(TABLES.map((other) => [`to_${other}`, "integer" as const])),
    },
    // Keys of two columns whose digits in a row are the same as another's: (1, 11) and (11, 1).
    rows: Array.from({ length: ROWS }, (_, at) => ({
      id: at + 1,
      k1: [1, 11, 111, 2][at % 4]!,
      k2: [11, 1, 111, 3][Math.floor(at / 4)]!,
      s: pickOf(random, WORDS),
      n: orNull(random, below(random, 9) - 3),
      r: orNull(random, (below(random, 40) - 12) / 4),
      f: orNull(random, chance(random, 0.5)),
      made: pickOf(random, TIMES),
      // Some lead nowhere.
      ...Object.fromEntries(TABLES.map((other) => [`to_${other}`, orNull(random, 1 + below(random, ROWS + 2))])),
    })),
  }));
}

const condition = (random: Random): ProofCondition =>
  pickOf<ProofCondition>(random, [
    { column: "n", over: below(random, 5) },
    { column: "r", over: 0 },
    { column: "s", is: "a" },
    { column: "n", missing: chance(random, 0.3) },
  ]);

function measures(random: Random): ProofMeasure[] {
  const where = (share: number) => (chance(random, share) ? { where: condition(random) } : {});
  return [
    { name: "count", kind: "count" },
    { name: "some", kind: "count", where: condition(random) },
    { name: "total", kind: "sum", column: pickOf(random, ["n", "r"]), ...where(0.3) },
    { name: "mean", kind: "avg", column: "r", ...where(0.2) },
    { name: "least", kind: "min", column: pickOf(random, ["n", "r"]), ...where(0.2) },
    { name: "most", kind: "max", column: "n" },
    { name: "kinds", kind: "count_distinct", column: pickOf(random, ["s", "n", "f"]), ...where(0.2) },
    { name: "share", kind: "ratio", numerator: pickOf(random, ["total", "some"]), denominator: "" },
  ];
}

function cube(random: Random, at: number): ProofCube {
  return {
    name: `c${at}`,
    table: TABLES[at]!,
    primaryKey: chance(random, 0.4) ? ["k1", "k2"] : ["id"],
    dimensions: [
      { name: "s", kind: "string", column: "s" },
      { name: "n", kind: "number", column: "n" },
      { name: "f", kind: "boolean", column: "f" },
      { name: "made", kind: "time", column: "made" },
    ],
    measures: measures(random),
    segments: [{ name: "seg", where: condition(random) }],
    joins: [],
  };
}

/** Two to four cubes. */
export function randomCubes(random: Random): ProofCube[] {
  const cubes = Array.from({ length: 2 + below(random, 3) }, (_, at) => cube(random, at));
  for (const [at, child] of cubes.entries()) {
    if (at > 0) link(random, cubes[below(random, at)]!, child);
  }
  for (const each of cubes) {
    const share = each.measures.find((measure) => measure.kind === "ratio")!;
    // The denominator is at times a measure of another cube, which is reached by a join.
    const other = chance(random, 0.3) ? pickOf(random, [...each.joins.map(({ to }) => to), each.name]) : each.name;
    Object.assign(share, { denominator: `${other}.count` });
  }
  return cubes;
}

function link(random: Random, parent: ProofCube, child: ProofCube): void {
  const kind = pickOf(random, ["up", "up", "down", "down", "both", "one"]);
  const up: ProofJoin = { to: parent.name, relationship: "many_to_one", on: [`to_${parent.table}`, "id"] };
  const down: ProofJoin = { to: child.name, relationship: "one_to_many", on: ["id", `to_${parent.table}`] };
  if (kind === "one") parent.joins.push({ to: child.name, relationship: "one_to_one", on: ["id", "id"] });
  if (kind === "up" || kind === "both") child.joins.push(up);
  if (kind === "down" || kind === "both") parent.joins.push(down);
  const extra: ProofDimension[] = [];
  if (kind === "up") extra.push({ name: "via", kind: "through", of: `${parent.name}.s` });
  child.dimensions.push(...extra);
  if (kind !== "up" && kind !== "one" && !parent.dimensions.some(({ name }) => name === "got"))
    parent.dimensions.push({
      name: "got",
      kind: "measured",
      of: `${child.name}.${pickOf(random, ["count", "total"])}`,
    });
}
