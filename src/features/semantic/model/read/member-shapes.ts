// The fields of members, in the forms of Cube's YAML.

import { SEMANTIC_LIMITS } from "../../limits.ts";
import { DIMENSION_TYPES, isCalculated, MEASURE_TYPES, RELATIONSHIPS, type Measure } from "../definitions.ts";
import { scanFragment, type FragmentKind } from "../sql-fragment.ts";
import { isReference, shorten } from "../template.ts";
import { flawOfInterval, flawOfOffset, flawOfOrigin, flawOfWindow } from "./intervals.ts";
import { flawOfMemberName } from "./names.ts";
import { either, flag, isText, listOf, object, oneOf, text, type Check, type Shape } from "./shape.ts";

const NEWER_PLANNER = "needs Cube's newer planner, which is not here";
const MULTI_STAGE = `Measures in several stages: this ${NEWER_PLANNER}. A measure of type number over others may do.`;
const NUMBER_AGG = `Measures of type number_agg: this ${NEWER_PLANNER}. Use type: number, which takes aggregates in its sql.`;
const MEASURE_CASE = `Measures with case: this ${NEWER_PLANNER}. Write CASE in sql, or in the filters of several measures.`;
const ROLES = "Who sees what is for the team's roles to say: leave it out.";
const PLAIN_CHARACTERS_MAX = 10_000;

export const fieldOf = (value: unknown, name: string): string | undefined => {
  const field = (value as Record<string, unknown> | null)?.[name];
  return typeof field === "string" ? field : undefined;
};

/** Text that means itself. */
export const plain: Check<string> = text((written) =>
  written.length > PLAIN_CHARACTERS_MAX ? `It has more than ${PLAIN_CHARACTERS_MAX} characters.` : undefined,
);
export const name: Check<string> = text(flawOfMemberName);
export const reference: Check<string> = text((written) =>
  isReference(written) ? undefined : `${shorten(written)} is no reference: it is names with dots between them.`,
);
export const references: Check<string[]> = either(
  Array.isArray,
  listOf(reference, SEMANTIC_LIMITS.membersPerDefinitionMax),
  (value, place, findings) => {
    const only = reference(value, place, findings);
    return only === undefined ? undefined : [only];
  },
);

export const sql = (kind: FragmentKind): Check<string> => {
  const isWritten = text((written) =>
    written.length > SEMANTIC_LIMITS.sqlCharactersMax
      ? `It has more than ${SEMANTIC_LIMITS.sqlCharactersMax} characters.`
      : undefined,
  );
  return (value, place, findings) => {
    const written = isWritten(value, place, findings);
    if (written === undefined) return undefined;
    const { fragment, flaw } = scanFragment(written, kind);
    return flaw === undefined ? fragment.text : findings.flaw(place, flaw);
  };
};

/** A reference to a member must stay one operand in another expression. */
const asOperand = (read: string): string => (scanFragment(read, "expression").fragment?.isAtomic ? read : `(${read})`);
const operand: Check<string> = (value, place, findings) => {
  const read = sql("expression")(value, place, findings);
  return read === undefined ? undefined : asOperand(read);
};

/** Whatever JSON says. */
export const meta: Check<unknown> = (value) => value;

export const described = { title: plain, description: plain, meta, public: flag, shown: flag };
const sqlOnly = object({ fields: { sql: sql("expression") }, required: ["sql"] });
const coordinate = object({ fields: { sql: operand }, required: ["sql"] });
const sqlList = listOf(sqlOnly, SEMANTIC_LIMITS.partsMax);
const format: Check<unknown> = either(
  isText,
  plain,
  object({ fields: { type: oneOf(["link"]), label: plain }, required: ["type", "label"] }),
);
const aliases = listOf(plain, SEMANTIC_LIMITS.partsMax);

const MULTI_STAGE_FIELDS = Object.fromEntries(
  ["multi_stage", "group_by", "reduce_by", "add_group_by", "grain", "filter", "order_by"].map((field) => [
    field,
    MULTI_STAGE,
  ]),
);
const TIME_SHIFT = `Time shifts: this ${NEWER_PLANNER}. Ask with compareDateRange instead.`;

const rollingWindow = object({
  fields: {
    type: oneOf(["fixed", "to_date", "year_to_date", "quarter_to_date", "month_to_date"]),
    granularity: text(() => undefined),
    trailing: text(flawOfWindow),
    leading: text(flawOfWindow),
    offset: oneOf(["start", "end"]),
  },
});

const MEASURE: Shape = {
  fields: {
    ...described,
    name,
    type: oneOf(MEASURE_TYPES, {
      aliases: { countDistinct: "count_distinct", countDistinctApprox: "count_distinct_approx" },
      refused: {
        number_agg: NUMBER_AGG,
        numberAgg: NUMBER_AGG,
        rank: MULTI_STAGE,
        running_total: "Running totals are a measure with rolling_window: {trailing: unbounded}.",
        runningTotal: "Running totals are a measure with rolling_window: {trailing: unbounded}.",
      },
    }),
    visible: flag,
    sql: sql("expression"),
    filters: sqlList,
    drill_filters: sqlList,
    drill_members: references,
    rolling_window: rollingWindow,
    cumulative: flag,
    format: plain,
    currency: plain,
    aliases,
  },
  required: ["name", "type"],
  refused: { ...MULTI_STAGE_FIELDS, case: MEASURE_CASE, time_shift: TIME_SHIFT, mask: ROLES },
};

const granularity = object({
  fields: {
    name,
    title: plain,
    interval: text(flawOfInterval),
    origin: text(flawOfOrigin),
    offset: text(flawOfOffset),
  },
  required: ["name", "interval"],
  refused: { sql: `Granularities by SQL are of calendar cubes: this ${NEWER_PLANNER}. Say interval and origin.` },
});

const label: Check<unknown> = either(
  isText,
  text((written) =>
    /['\\$?]/.test(written)
      ? "A label has no quotes, backslashes, $ or ? in it: write it as label: {sql: …}."
      : undefined,
  ),
  sqlOnly,
);
const cases = object({
  fields: {
    when: listOf(
      object({ fields: { sql: sql("expression"), label }, required: ["sql", "label"] }),
      SEMANTIC_LIMITS.partsMax,
    ),
    else: object({ fields: { label }, required: ["label"] }),
  },
  required: ["when"],
  refused: { switch: `Cases by switch: this ${NEWER_PLANNER}.` },
});

export const DIMENSION: Shape = {
  fields: {
    ...described,
    name,
    type: oneOf(DIMENSION_TYPES, { refused: { switch: `Dimensions of type switch: this ${NEWER_PLANNER}.` } }),
    sql: operand,
    case: cases,
    latitude: coordinate,
    longitude: coordinate,
    primary_key: flag,
    sub_query: flag,
    propagate_filters_to_sub_query: flag,
    granularities: listOf(granularity, SEMANTIC_LIMITS.partsMax),
    format,
    currency: plain,
    suggest_filter_values: flag,
    enable_suggestions: flag,
    values_as_segments: flag,
    field_type: oneOf(["string"]),
    order: oneOf(["asc", "desc"]),
    aliases,
  },
  required: ["name", "type"],
  refused: {
    multi_stage: MULTI_STAGE,
    add_group_by: MULTI_STAGE,
    filter: MULTI_STAGE,
    time_shift: TIME_SHIFT,
    values: `Dimensions of type switch: this ${NEWER_PLANNER}.`,
    key: "Keys of dimensions are not known here: group by the key itself.",
    links: "Links are not known here: make the address with a dimension's sql.",
    mask: ROLES,
  },
};

export const SEGMENT: Shape = { fields: { ...described, name, sql: operand, aliases }, required: ["name", "sql"] };

const OLD_RELATIONSHIPS = {
  belongsTo: "many_to_one",
  belongs_to: "many_to_one",
  manyToOne: "many_to_one",
  hasMany: "one_to_many",
  has_many: "one_to_many",
  oneToMany: "one_to_many",
  hasOne: "one_to_one",
  has_one: "one_to_one",
  oneToOne: "one_to_one",
} as const;

export const JOIN: Shape = {
  fields: { name, relationship: oneOf(RELATIONSHIPS, { aliases: OLD_RELATIONSHIPS }), sql: sql("expression") },
  required: ["name", "relationship", "sql"],
};

export const HIERARCHY: Shape = {
  fields: { name, title: plain, public: flag, levels: references },
  required: ["name", "levels"],
};

/** One of a kind, of the cube of this name. */
export const ofCube = (shape: Shape, cube: string | undefined): Check<Record<string, unknown>> =>
  object({ ...shape, memberOf: (written) => [cube, fieldOf(written, "name")].filter(Boolean).join(".") });

/** An aggregate encloses its SQL; other measures are their SQL. */
export const measureOf = (cube: string | undefined): Check<Record<string, unknown>> => {
  const check = ofCube(MEASURE, cube);
  return (value, place, findings) => {
    const measure = check(value, place, findings);
    if (measure && typeof measure["sql"] === "string" && isCalculated(measure as Measure))
      measure["sql"] = asOperand(measure["sql"]);
    return measure;
  };
};
