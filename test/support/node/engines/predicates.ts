// Predicates at the bounds of columns, which leave out files: each finds what it finds without bounds.

import type { QueryAnswer } from "../../../e2e/client.ts";
import type { TestColumn } from "./columns.ts";
import type { Predicate, TableName } from "./engine-client.ts";
import { exactly } from "./history.ts";

/** Types without an order that all engines share, or without a form of their values as text. */
const UNCOMPARED = ["float", "double", "json", "binary", "list", "struct", "map"];
/** Predicates at the lowest, highest and middle values of each column whose type all clients compare, and beyond. */
export function predicatesAtBounds({ types, data }: QueryAnswer, columns: readonly TestColumn[]): Predicate[] {
  return types.flatMap(({ name, type }) => {
    const iceberg = WORDS[type] ?? columns.find((each) => each.name === name)?.iceberg ?? null;
    if (iceberg === null || UNCOMPARED.includes(iceberg)) return [];
    const values = data.map((row) => row[name]).filter((value) => value !== null);
    const sorted = [...new Set(values.map(String))].sort(iceberg === "string" ? undefined : byNumber);
    const [low, middle, high] = [sorted[0]!, sorted[Math.floor(sorted.length / 2)]!, sorted.at(-1)!];
    const at = (operator: Predicate["operator"], value: string): Predicate => ({
      ...{ column: name, operator, type: iceberg },
      value: literalOf(value, iceberg),
    });
    const equal = [...new Set([low, middle, high])].map((value) => at("=", value));
    return iceberg === "boolean" ? equal : [...equal, at("<=", low), at(">=", high)];
  });
}

/** Columns that a table's history adds, renames and widens have other names in the end, and one of these types. */
const WORDS: Record<string, string> = { VARCHAR: "string", INTEGER: "int", BIGINT: "long" };

const byNumber = (one: string, other: string): number =>
  Number.isNaN(Number(one)) ? (one < other ? -1 : 1) : Number(one) - Number(other);

const literalOf = (value: string, type: string): string =>
  type.startsWith("timestamp") ? value.replace("T", " ").replace("Z", "+00:00") : value;

const TYPES: Record<string, string> = { string: "VARCHAR", long: "BIGINT", int: "INTEGER" };

export async function countsByApi([schema, name]: TableName, predicates: readonly Predicate[]): Promise<number[]> {
  const counts = predicates.map(
    ({ column, operator, value, type }, index) =>
      `count(*) FILTER (WHERE ${column} ${operator} CAST('${value}' AS ${TYPES[type] ?? type})) AS c${index}`,
  );
  const { data } = await exactly(`SELECT ${counts.join(", ")} FROM LAKE.${schema}.${name}`);
  return Object.values(data[0]!).map(Number);
}
