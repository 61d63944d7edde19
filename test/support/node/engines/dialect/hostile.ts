// The comparison over hostile values. Expressions are asked many in one statement; where that fails, each for itself,
// and then at each row.

import type { Answer } from "./both-engines.ts";
import { compare, type Compared } from "./compare.ts";
import { EXPRESSIONS, HOSTILE_ROWS, ROW_COUNT } from "./hostile-expressions.ts";
import { QUERIES } from "./hostile-queries.ts";

export type Ask = { here(sql: string): Promise<Answer>; trino(sql: string): Promise<Answer> };

const BATCH = 16;

const overRows = (expressions: readonly string[], where = "true"): string =>
  `${HOSTILE_ROWS}SELECT rn, ${expressions.join(", ")} FROM t WHERE ${where} ORDER BY rn`;

export async function compareHostile(ask: Ask): Promise<Compared[]> {
  const compared: Compared[] = [];
  const taken: string[] = [];
  for (const expression of EXPRESSIONS) {
    const answer = await ask.here(overRows([expression], "rn = 6"));
    if (answer.kind === "refused") compared.push({ sql: expression, verdict: "refused", why: answer.message });
    else taken.push(expression);
  }
  for (let from = 0; from < taken.length; from += BATCH)
    compared.push(...(await compareTogether(ask, taken.slice(from, from + BATCH))));
  for (const query of QUERIES) compared.push(await both(ask, query, HOSTILE_ROWS + query));
  return compared;
}

async function both(ask: Ask, name: string, sql: string): Promise<Compared> {
  const ours = await ask.here(sql);
  if (ours.kind === "refused") return { sql: name, verdict: "refused", why: ours.message };
  return { ...compare(sql, ours, await ask.trino(sql)), sql: name };
}

/** Halves, where they are not all the same, until the one is found that is not. */
async function compareTogether(ask: Ask, expressions: readonly string[]): Promise<Compared[]> {
  const [first, ...more] = expressions;
  if (more.length === 0) return compareOne(ask, first!);
  const together = await both(ask, "", overRows(expressions));
  if (together.verdict === "same") return expressions.map((sql) => ({ sql, verdict: "same", why: "" }));
  const half = expressions.length >> 1;
  return [
    ...(await compareTogether(ask, expressions.slice(0, half))),
    ...(await compareTogether(ask, expressions.slice(half))),
  ];
}

/** Where both fail at some row, the others are compared one by one. */
async function compareOne(ask: Ask, expression: string): Promise<Compared[]> {
  const whole = await both(ask, expression, overRows([expression]));
  if (whole.verdict !== "bothFail") return [whole];
  const rows: Compared[] = [];
  for (let row = 1; row <= ROW_COUNT; row++)
    rows.push(await both(ask, `${expression} in row ${row}`, overRows([expression], `rn = ${row}`)));
  const bad = rows.filter(({ verdict }) => verdict !== "same" && verdict !== "bothFail");
  return bad.length > 0
    ? bad
    : [rows.some(({ verdict }) => verdict === "same") ? { ...whole, verdict: "same" } : whole];
}
