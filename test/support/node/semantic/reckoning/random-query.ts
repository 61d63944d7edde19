// Random queries of a model: measures of several cubes at once, under filters of every operator, segments and zones.

import type { SemanticFilter, SemanticQuery } from "../../../../../kernel/semantic/query.ts";
import type { Random } from "../../sources/mutations.ts";
import type { ProofCube, ProofDimension } from "../proof-model.ts";
import { QUERY } from "../proof-servers.ts";
import { below, chance, pickOf, someOf, WORDS } from "./random-model.ts";

const ZONES = ["UTC", "UTC", "America/New_York", "Europe/Berlin", "Asia/Kolkata"] as const;
const GRANULARITIES = ["hour", "day", "week", "month", "quarter", "year"] as const;
const DAYS = ["2024-01-01", "2024-03-10", "2024-03-31", "2024-07-01", "2024-10-27", "2024-11-03"] as const;
const PARTS = ["a", "B", "%", "_", "50%", "a_b", "'", "x"] as const;

type Kind = Exclude<ProofDimension["kind"], "through" | "measured">;
type Member = { id: string; kind: Kind };

const startOf = (day: string): string => `${day}T00:00:00.000`;
const endOf = (day: string): string => `${day}T23:59:59.999`;

function span(random: Random): [string, string] {
  const [a, b] = [pickOf(random, DAYS), pickOf(random, DAYS)].sort() as [string, string];
  return [startOf(a), endOf(b)];
}

function dimensionsOf(cube: ProofCube): Member[] {
  return cube.dimensions.map(({ name, kind }) => {
    const shown = kind === "through" ? "string" : kind === "measured" ? "number" : kind;
    return { id: `${cube.name}.${name}`, kind: shown };
  });
}

const list = <T>(random: Random, values: readonly T[]): T[] => [
  pickOf(random, values),
  ...(chance(random, 0.4) ? [pickOf(random, values)] : []),
];

function leaf(random: Random, { id: member, kind }: Member): SemanticFilter {
  const filter = (operator: Extract<SemanticFilter, { member: string }>["operator"], values: (string | null)[]) => ({
    member,
    operator,
    values,
  });
  if (chance(random, 0.15)) return filter(pickOf(random, ["set", "notSet"]), []);
  if (kind === "time") {
    const operator = pickOf(random, ["inDateRange", "notInDateRange", "onTheDate"] as const);
    if (chance(random, 0.5)) return filter(operator, span(random));
    const day = pickOf(random, DAYS);
    return pickOf(random, [
      filter("beforeDate", [startOf(day)]),
      filter("beforeOrOnDate", [endOf(day)]),
      filter("afterDate", [endOf(day)]),
      filter("afterOrOnDate", [startOf(day)]),
    ]);
  }
  const listed = pickOf(random, ["equals", "notEquals", "in", "notIn"] as const);
  if (kind === "boolean") return filter(pickOf(random, ["equals", "notEquals"]), [pickOf(random, ["true", "false"])]);
  if (kind === "number") {
    const numbers = ["-1", "0", "1", "2", "3.5"];
    if (chance(random, 0.6)) return filter(pickOf(random, ["gt", "gte", "lt", "lte"]), [pickOf(random, numbers)]);
    return filter(listed, list(random, [...numbers, null]));
  }
  if (chance(random, 0.5)) return filter(listed, list(random, WORDS));
  const parts = ["contains", "notContains", "startsWith", "notStartsWith", "endsWith", "notEndsWith"] as const;
  return filter(pickOf(random, parts), list(random, PARTS));
}

/** A nested filter of dimensions or of measures: the two are never in one group. */
function tree(random: Random, members: readonly Member[], depth: number): SemanticFilter {
  if (depth === 0 || chance(random, 0.6)) return leaf(random, pickOf(random, members));
  const inner = Array.from({ length: 2 + below(random, 2) }, () => tree(random, members, depth - 1));
  return chance(random, 0.5) ? { or: inner } : { and: inner };
}

export function randomQuery(random: Random, cubes: readonly ProofCube[]): SemanticQuery {
  const dimensions = cubes.flatMap(dimensionsOf);
  const measures: Member[] = cubes.flatMap(({ name, measures: of }) =>
    of.map((measure) => ({ id: `${name}.${measure.name}`, kind: "number" as const })),
  );
  const asked = [pickOf(random, measures), ...someOf(random, measures, 3)].map(({ id }) => id);
  const grouped = someOf(
    random,
    dimensions.filter(({ kind }) => kind !== "time"),
    2,
  );
  const timed = chance(random, 0.45)
    ? pickOf(
        random,
        dimensions.filter(({ kind }) => kind === "time"),
      )
    : undefined;
  const filters = Array.from({ length: below(random, 3) }, () => tree(random, dimensions, 2));
  if (chance(random, 0.3)) filters.push(tree(random, measures, 1));
  return {
    ...QUERY,
    measures: [...new Set(asked)],
    dimensions: grouped.map(({ id }) => id),
    timeDimensions: timed
      ? [
          {
            dimension: timed.id,
            ...(chance(random, 0.8) && { granularity: pickOf(random, GRANULARITIES) }),
            ...(chance(random, 0.5) && { dateRange: span(random) }),
          },
        ]
      : [],
    segments: chance(random, 0.2) ? [`${pickOf(random, cubes).name}.seg`] : [],
    filters,
    timezone: pickOf(random, ZONES),
  };
}

/** The query less one of its parts, each in turn, for finding the smallest query that still fails. */
export function lessOf(query: SemanticQuery): SemanticQuery[] {
  const without = <K extends "measures" | "dimensions" | "filters" | "segments" | "timeDimensions">(key: K) =>
    query[key].map((_, at) => ({ ...query, [key]: (query[key] as unknown[]).filter((__, index) => index !== at) }));
  const flatter = query.filters.flatMap((filter, at) => {
    const inner = "and" in filter ? filter.and : "or" in filter ? filter.or : [];
    return inner.map((each) => ({ ...query, filters: query.filters.with(at, each) }));
  });
  return [
    ...without("filters"),
    ...flatter,
    ...without("dimensions"),
    ...without("segments"),
    ...without("timeDimensions"),
    ...(query.measures.length > 1 ? without("measures") : []),
    ...(query.timezone === "UTC" ? [] : [{ ...query, timezone: "UTC" }]),
  ];
}
