// A statement is asked of both engines at once, and their answers are compared.

import type { EncodedQuery } from "../../trino/on-duckdb.ts";
import type { Answer, Translated } from "./both-engines.ts";

export type Verdict = "same" | "otherType" | "refused" | "bothFail" | "failsHere" | "different";
export type Compared = { sql: string; verdict: Verdict; why: string };

/** Sums of doubles differ in their last digits, in Trino from run to run. */
const TOLERANCE = 4e-15;
/** What Trino approximates is exact here: its standard error is 2.3 %, of which three are allowed. */
const APPROXIMATED = { functions: /\bapprox_(distinct|percentile)\(/i, tolerance: 0.07 };

export type Ask = {
  translate(sql: string): Translated;
  here(query: EncodedQuery): Promise<Answer>;
  trino(sql: string): Promise<Answer>;
};

/** Statements that are asked at a time, since each mostly waits. */
export const LANES = 3;

/** `name`: what the comparison is called by; the statement itself where it is absent. */
export async function compareBoth(ask: Ask, sql: string, name = sql): Promise<Compared> {
  const query = ask.translate(sql);
  if ("kind" in query) return { sql: name, verdict: "refused", why: query.message };
  const [ours, trinos] = await Promise.all([ask.here(query), ask.trino(sql)]);
  return { ...compare(sql, ours, trinos), sql: name };
}

export function compare(sql: string, ours: Answer, trinos: Answer): Compared {
  if (ours.kind === "refused") return { sql, verdict: "refused", why: ours.message };
  if (ours.kind === "failed") {
    if (trinos.kind === "rows") return { sql, verdict: "failsHere", why: ours.message };
    return { sql, verdict: "bothFail", why: `${ours.message} | ${trinos.message}` };
  }
  if (trinos.kind !== "rows") return { sql, verdict: "different", why: `Trino fails: ${trinos.message}` };
  if (String(ours.names) !== String(trinos.names))
    return { sql, verdict: "different", why: `columns ${ours.names.join()} | ${trinos.names.join()}` };
  const at = differs(ours.rows, trinos.rows, APPROXIMATED.functions.test(sql) ? APPROXIMATED.tolerance : TOLERANCE);
  if (at !== undefined) {
    const [one, other] = [ours, trinos].map(({ rows }) => JSON.stringify(rows[at]));
    return { sql, verdict: "different", why: `row ${at}: ${one} | ${other}` };
  }
  const [one, other] = [ours, trinos].map(({ types }) => types.join().replaceAll(" ", ""));
  return one === other
    ? { sql, verdict: "same", why: "" }
    : { sql, verdict: "otherType", why: `${ours.types.join()} | ${trinos.types.join()}` };
}

/** Whole doubles beyond 2^53 come as they are written. */
const LARGE_DOUBLE = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i;

/** The first row that is not the same in both. */
function differs(ours: readonly unknown[], trinos: readonly unknown[], tolerance: number): number | undefined {
  const length = Math.max(ours.length, trinos.length);
  for (let i = 0; i < length; i++) if (!isSameValue(ours[i], trinos[i], tolerance)) return i;
  return undefined;
}

function isSameValue(one: unknown, other: unknown, tolerance: number): boolean {
  if (typeof one === "number" && typeof other === "number")
    return one === other || Math.abs(one - other) <= tolerance * Math.abs(one);
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((each, i) => isSameValue(each, other[i], tolerance));
  if (isObject(one) && isObject(other)) {
    const keys = Object.keys(one);
    return (
      keys.length === Object.keys(other).length &&
      keys.every((key) => Object.hasOwn(other, key) && isSameValue(one[key], other[key], tolerance))
    );
  }
  if (typeof one === "string" && typeof other === "string" && LARGE_DOUBLE.test(one) && LARGE_DOUBLE.test(other))
    return Number(one) === Number(other);
  return one === other;
}

/** A map, whose entries are in no order. */
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** How many there are of each, and each that is neither same nor refused. */
export function summaryOf(name: string, compared: readonly Compared[]): string {
  const counts: Partial<Record<Verdict, number>> = {};
  for (const { verdict } of compared) counts[verdict] = (counts[verdict] ?? 0) + 1;
  const share = ((100 * (counts.same ?? 0)) / compared.length).toFixed(1);
  return `${name}: ${compared.length} statements, ${JSON.stringify(counts)}, ${share} % the same`;
}
