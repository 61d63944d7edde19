// A spelling says how a database writes what queries need. Every expression that is passed in stands by itself, and so
// does every result. Sessions are in UTC: a time without a zone is taken for one in UTC.

import type { TextPlace } from "../../../../../kernel/access/filter-grammar.ts";
import type { Period, Unit } from "../time/period.ts";
import type { ClockChange, Zone } from "../time/zone.ts";

/** A number in a filter, with the digits before and after its point. */
export type NumberForm =
  | { kind: "integer" }
  | { kind: "decimal"; precision: number; scale: number }
  | { kind: "double" };

/** One of the facts that are set beside each other: a SELECT, and the columns that only it has. */
export type Part = { sql: string; columns: string[] };

/** The kind of a list's values. */
export type ListKind = "integer" | "text";

/**
 * Whether a value is one of many, or not. They are in order, the least first; integers are written as digits, with a
 * sign before those below zero, and hold nothing else. `bind` gives the placeholder of a text.
 */
export type ListSpelling = (
  value: string,
  listed: readonly string[],
  bind: (text: string) => string,
  not: boolean,
) => string;

export type Spelling = {
  name(name: string): string;
  placeholder(index: number): string;
  /** The local time in the zone at a time; `changes` are those that can matter. A date without a time stays itself. */
  shown(time: string, zone: Zone, changes: () => readonly ClockChange[]): string;
  /** Whether the value of a time is a date without a time of day. */
  isDate(time: string): string;
  /** The start of the unit that a local time without zone is in. */
  truncated(time: string, unit: Unit): string;
  startOfPeriod(time: string, period: Period): string;
  /** A bound local time, `2026-01-31T00:00:00.000`, to compare with times. */
  boundTime(parameter: string): string;
  boundNumber(parameter: string, form: NumberForm): string;
  /** Whether a value is one of several bound texts, or not. */
  isText(value: string, parameters: readonly string[], not: boolean): string;
  /** How many values are compared at once; undefined where a database takes them one by one. */
  lists: Readonly<Record<ListKind, ListSpelling | undefined>>;
  /** Whether a value holds a bound text, whatever the case of letters. `text` is what is to be bound for a user's. */
  holdsText(value: string, parameter: string, place: TextPlace): string;
  heldText(text: string, place: TextPlace): string;
  /** One text for the values of a key, of which no two have the same. */
  keyText(values: readonly string[]): string;
  concat(texts: readonly string[]): string;
  countDistinctApprox(value: string): string;
  /** NULL comes last. */
  orderBy(column: { position: number; alias: string }, descending: boolean): string;
  /**
   * Whether a query that aggregates can be ordered in this way by an aggregate; otherwise the query around it is
   * ordered.
   */
  ordersAggregates: boolean;
  limit(limit: number | undefined, offset: number): string;
  /** A relation of the rows, whose columns are local times, and its name. */
  times(columns: readonly string[], rows: readonly (readonly string[])[], name: string): string;
  /** A relation of the rows of all parts, those of equal dimensions made one, and its name. */
  beside(dimensions: readonly string[], parts: readonly Part[], name: string): string;
};

/** A name in quotes; quotes within it are doubled. */
export const quoted = (name: string, quote: string): string =>
  `${quote}${name.replaceAll(quote, quote + quote)}${quote}`;

/**
 * Each part's rows one below the other, with NULL for the others' columns: grouped by their dimensions they stand
 * beside each other, whatever is NULL, without a join.
 */
export function stacked(
  dimensions: readonly string[],
  parts: readonly Part[],
  select: {
    nullOf: (column: string) => string;
    from: (i: number) => string;
    pick: (column: string, i: number) => string;
  },
): string {
  const columns = parts.flatMap((part, i) => part.columns.map((column) => ({ column, i })));
  const branches = parts.map((_, part) => {
    const cells = columns.map(({ column, i }) => (i === part ? column : `${select.nullOf(column)} AS ${column}`));
    return `SELECT ${[...dimensions, ...cells, `${part} AS part`].join(", ")} FROM ${select.from(part)}`;
  });
  const picked = columns.map(({ column, i }) => `${select.pick(column, i)} AS ${column}`);
  const groups = dimensions.map((_, i) => i + 1).join(", ");
  return (
    `SELECT ${[...dimensions, ...picked].join(", ")} FROM (\n${branches.join("\nUNION ALL\n")}\n) AS parts` +
    (groups === "" ? "" : ` GROUP BY ${groups}`)
  );
}
