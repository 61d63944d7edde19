// The definitions of a model once they are read: Cube's YAML with one spelling for each thing, nothing inherited, and
// SQL as a template whose references are all known.

import type { CubeDefinition, SemanticModel } from "../../../../kernel/semantic/model.ts";

/** The types of measures that aggregate their SQL's value of each row. */
export const AGGREGATES = ["count", "count_distinct", "count_distinct_approx", "sum", "avg", "min", "max"] as const;
/** The types of measures whose SQL already stands for groups: over other measures, or with aggregates in it. */
export const CALCULATED = ["number", "string", "time", "boolean"] as const;
export const MEASURE_TYPES = [...AGGREGATES, ...CALCULATED] as const;
export const DIMENSION_TYPES = ["string", "number", "boolean", "time", "geo"] as const;
export const RELATIONSHIPS = ["one_to_one", "one_to_many", "many_to_one"] as const;
export const GRANULARITIES = ["second", "minute", "hour", "day", "week", "month", "quarter", "year"] as const;

export type Sql = { sql: string };
export type Label = string | Sql;
export type Measure = {
  name: string;
  type: (typeof MEASURE_TYPES)[number];
  sql?: string;
  filters?: Sql[];
  drill_filters?: Sql[];
  drill_members?: string[];
  rolling_window?: Record<string, unknown>;
};
export type Granularity = { name: string; interval: string; origin?: string; offset?: string; title?: string };
export type Dimension = {
  name: string;
  type: (typeof DIMENSION_TYPES)[number];
  sql?: string;
  case?: { when: { sql: string; label: Label }[]; else?: { label: Label } };
  latitude?: Sql;
  longitude?: Sql;
  primary_key?: boolean;
  sub_query?: boolean;
  propagate_filters_to_sub_query?: boolean;
  granularities?: Granularity[];
};
export type Segment = { name: string; sql: string };
export type Join = { name: string; relationship: (typeof RELATIONSHIPS)[number]; sql: string };
export type Hierarchy = { name: string; levels: string[] };
/** Either `sql` or `sql_table`. */
export type Cube = CubeDefinition & {
  sql?: string;
  sql_table?: string;
  sql_alias?: string;
  joins?: Join[];
  measures?: Measure[];
  dimensions?: Dimension[];
  segments?: Segment[];
  hierarchies?: Hierarchy[];
};
export type Include = string | { name: string; alias?: string };
export type ViewCube = {
  join_path: string;
  includes: "*" | Include[];
  excludes?: string[];
  prefix?: boolean;
  alias?: string;
};
export type Folder = { name: string; includes: "*" | (string | Folder | { join_path: string })[] };
export type View = CubeDefinition & { cubes: ViewCube[]; folders?: Folder[] };

export const MEMBER_KINDS = ["measures", "dimensions", "segments"] as const;
export type MemberKind = (typeof MEMBER_KINDS)[number];
export type Member = Measure | Dimension | Segment;

/** Definitions that {@link readModel} has checked, by name. `kindOf` a cube's members by their names. */
export type CubeEntry = { cube: Cube; members: Map<string, { kind: MemberKind; member: Member }> };
export type ModelIndex = { cubes: Map<string, CubeEntry>; views: Map<string, View> };

const INDEXES = new WeakMap<SemanticModel, ModelIndex>();

/** Indexes definitions that no longer change. */
export function indexModel(definitions: SemanticModel): ModelIndex {
  const known = INDEXES.get(definitions);
  if (known) return known;
  const index = {
    cubes: new Map((definitions.cubes as Cube[]).map((cube) => [cube.name, { cube, members: membersOf(cube) }])),
    views: new Map((definitions.views as View[]).map((view) => [view.name, view])),
  };
  INDEXES.set(definitions, index);
  return index;
}

function membersOf(cube: Cube): CubeEntry["members"] {
  const members: CubeEntry["members"] = new Map();
  for (const kind of MEMBER_KINDS) for (const member of cube[kind] ?? []) members.set(member.name, { kind, member });
  return members;
}

export const isCalculated = ({ type }: Pick<Measure, "type">): boolean =>
  (CALCULATED as readonly string[]).includes(type);

export const isSubQuery = (member: Member): boolean => (member as Dimension).sub_query === true;

/** Every SQL text of a member that goes into a query, in the order of Cube's reading. */
export function sqlOf(member: Member): string[] {
  const { sql, filters, drill_filters, latitude, longitude, case: cases } = member as Measure & Dimension;
  const labels = cases ? [...cases.when.map(({ label }) => label), ...(cases.else ? [cases.else.label] : [])] : [];
  return [
    ...(sql === undefined ? [] : [sql]),
    ...[...(filters ?? []), ...(drill_filters ?? []), ...(cases?.when ?? [])].map((part) => part.sql),
    ...labels.flatMap((label) => (typeof label === "string" ? [] : [label.sql])),
    ...[latitude, longitude].flatMap((part) => (part ? [part.sql] : [])),
  ];
}
