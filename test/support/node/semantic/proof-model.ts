// A semantic model in a form that both Cube's definitions and a plain reckoning can be made of.

import type { SemanticModel } from "../../../../kernel/semantic/model.ts";

/** A condition on the columns of one row. */
export type ProofCondition =
  | { column: string; over: number }
  | { column: string; is: string }
  | { column: string; missing: boolean };

export type ProofMeasure =
  | { name: string; kind: "count"; where?: ProofCondition }
  | { name: string; kind: "sum" | "avg" | "min" | "max" | "count_distinct"; column: string; where?: ProofCondition }
  /** `numerator` is of its own cube; `denominator` is `cube.measure`. */
  | { name: string; kind: "ratio"; numerator: string; denominator: string };

export type ProofDimension =
  | { name: string; kind: "string" | "number" | "boolean" | "time"; column: string }
  /** A dimension equal to another cube's: `cube.dimension`. */
  | { name: string; kind: "through"; of: string }
  /** A measure of a joined cube, of each row by itself: `cube.measure`. */
  | { name: string; kind: "measured"; of: string };

export type ProofJoin = {
  to: string;
  relationship: "one_to_one" | "one_to_many" | "many_to_one";
  /** The columns that are equal: this cube's, and the other's. */
  on: [string, string];
};

export type ProofCube = {
  name: string;
  table: string;
  /** Columns; dimensions of the same names stand for them. */
  primaryKey: string[];
  dimensions: ProofDimension[];
  measures: ProofMeasure[];
  segments: { name: string; where: ProofCondition }[];
  joins: ProofJoin[];
};

export const findNamed = <T extends { name: string }>(list: readonly T[], name: string): T => {
  const found = list.find((each) => each.name === name);
  if (!found) throw new Error(`There is no ${name}.`);
  return found;
};

const conditionSql = (where: ProofCondition): string => {
  const column = `{CUBE}.${where.column}`;
  if ("over" in where) return `${column} > ${where.over}`;
  if ("is" in where) return `${column} = '${where.is}'`;
  return `${column} IS ${where.missing ? "" : "NOT "}NULL`;
};

const measureDefinition = (measure: ProofMeasure): Record<string, unknown> => {
  const { name, kind } = measure;
  if (kind === "ratio") {
    const sql = `1e0 * {${measure.numerator}} / NULLIF({${measure.denominator}}, 0)`;
    return { name, type: "number", sql };
  }
  return {
    name,
    type: kind,
    ...(kind !== "count" && { sql: `{CUBE}.${measure.column}` }),
    ...(measure.where && { filters: [{ sql: conditionSql(measure.where) }] }),
  };
};

const dimensionDefinition = (dimension: ProofDimension, cubes: readonly ProofCube[]): Record<string, unknown> => {
  const { name, kind } = dimension;
  if (kind === "measured") return { name, type: "number", sub_query: true, sql: `{${dimension.of}}` };
  if (kind !== "through") return { name, type: kind, sql: `{CUBE}.${dimension.column}` };
  const [cube, member] = dimension.of.split(".") as [string, string];
  const other = findNamed(findNamed(cubes, cube).dimensions, member);
  return { name, type: other.kind, sql: `{${dimension.of}}` };
};

/** The cubes as definitions, in the fields of Cube's YAML. */
export function definitionsOf(cubes: readonly ProofCube[], schema: string): SemanticModel {
  return {
    cubes: cubes.map((cube) => ({
      name: cube.name,
      sql_table: `${schema}.${cube.table}`,
      joins: cube.joins.map(({ to, relationship, on }) => ({
        name: to,
        relationship,
        sql: `{CUBE}.${on[0]} = {${to}}.${on[1]}`,
      })),
      dimensions: [
        ...cube.primaryKey.map((column) => ({
          name: column,
          type: "number",
          sql: `{CUBE}.${column}`,
          primary_key: true,
        })),
        ...cube.dimensions.map((dimension) => dimensionDefinition(dimension, cubes)),
      ],
      measures: cube.measures.map(measureDefinition),
      segments: cube.segments.map(({ name, where }) => ({ name, sql: conditionSql(where) })),
    })),
    views: [],
  };
}
