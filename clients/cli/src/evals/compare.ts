// An expected answer is held against the members that an answer names and the rows that it has. Pure.

import { membersOf, type Answer } from "./answer.ts";
import type { Eval, Row } from "./eval.ts";

/** As a tool of the platform answers them. `cut` is there where they are not all. */
export type ResultRows = Readonly<{ columns: string[]; rows: unknown[][]; row_count: number; cut?: string }>;

/** What is wrong with the members that an answer names, in words for people; nothing where they are as expected. */
export function compareMembers({ members }: Eval, answer: Answer): string | undefined {
  if (members === undefined) return undefined;
  if (answer.query === undefined) return "It answered with SQL; members of the model were expected.";
  const { selected, named } = membersOf(answer.query);
  const lacking = members.filter((member) => !named.has(member));
  const superfluous = [...selected].filter((member) => !members.includes(member));
  const parts = [
    ...(lacking.length > 0 ? [`lacks ${lacking.join(", ")}`] : []),
    ...(superfluous.length > 0 ? [`selects ${superfluous.join(", ")} besides`] : []),
  ];
  return parts.length > 0 ? `The query ${parts.join(", and ")}.` : undefined;
}

/** What is wrong with the rows. Their order does not count. */
export function compareRows({ rows: expected }: Eval, result: ResultRows): string | undefined {
  if (expected === undefined) return undefined;
  if (result.cut !== undefined) return `It has ${result.row_count} rows or more; ${expected.length} were expected.`;
  const columns = columnsOf(expected);
  const places = columns?.map((column) => result.columns.indexOf(column)) ?? result.columns.map((_, i) => i);
  const absent = columns?.filter((_, i) => places[i]! < 0) ?? [];
  if (absent.length > 0) return `It has no column ${absent.join(", ")}; there are ${result.columns.join(", ")}.`;
  const wanted = expected.map((row) => keyOf(columns ? columns.map((column) => valueIn(row, column)) : asList(row)));
  const left = new Map<string, string[]>();
  for (const key of wanted) left.set(key, [...(left.get(key) ?? []), key]);
  const superfluous: string[] = [];
  for (const row of result.rows) {
    const key = keyOf(places.map((place) => row[place]));
    if (!left.get(key)?.pop()) superfluous.push(key);
  }
  const lacking = [...left.values()].flat();
  if (lacking.length === 0 && superfluous.length === 0) return undefined;
  const say = (keys: string[], word: string) => (keys.length > 0 ? [`${keys.length} ${word}, as ${keys[0]}`] : []);
  return `Of ${expected.length} rows ${[...say(lacking, "lacking"), ...say(superfluous, "too many")].join("; ")}.`;
}

/** The names of columns by which rows are compared; undefined where it is by their order. */
function columnsOf([first]: readonly Row[]): string[] | undefined {
  return first === undefined || Array.isArray(first) ? undefined : Object.keys(first);
}

const asList = (row: Row): readonly unknown[] => (Array.isArray(row) ? row : Object.values(row));
const valueIn = (row: Row, column: string): unknown => (row as Record<string, unknown>)[column];

const keyOf = (row: readonly unknown[]): string => JSON.stringify(row.map(canonical));

/** Digits of a number that are compared: sums of doubles differ in the last ones. */
const PRECISION = 12;
/** Whole numbers with more digits than a double holds are compared as texts. */
const WIDE = /^-?\d{16,}$/;
const MIDNIGHT = /^(\d{4}-\d\d-\d\d)[T ]00:00:00(?:\.0+)?Z?$/;

/** A number and its text are alike, and so are a day and its midnight. */
function canonical(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  const text = String(value).trim();
  if (text === "" || WIDE.test(text)) return text;
  const number = Number(text);
  if (typeof value !== "boolean" && Number.isFinite(number)) return String(Number(number.toPrecision(PRECISION)));
  return MIDNIGHT.exec(text)?.[1] ?? text;
}
