// The comparison over hostile values. Expressions are asked many in one statement; where that fails, each for itself,
// and then at each row.

import { inLanes } from "../../in-lanes.ts";
import { compareBoth, LANES, type Ask, type Compared } from "./compare.ts";
import { EXPRESSIONS, HOSTILE_ROWS, ROW_COUNT } from "./hostile-expressions.ts";
import { QUERIES } from "./hostile-queries.ts";

const BATCH = 16;

const overRows = (expressions: readonly string[], where = "true"): string =>
  `${HOSTILE_ROWS}SELECT rn, ${expressions.join(", ")} FROM t WHERE ${where} ORDER BY rn`;

export async function compareHostile(ask: Ask): Promise<Compared[]> {
  const refused: Compared[] = [];
  const taken: string[] = [];
  for (const expression of EXPRESSIONS) {
    const query = ask.translate(overRows([expression]));
    if ("kind" in query) refused.push({ sql: expression, verdict: "refused", why: query.message });
    else taken.push(expression);
  }
  const batches = Array.from({ length: Math.ceil(taken.length / BATCH) }, (_, i) =>
    taken.slice(i * BATCH, (i + 1) * BATCH),
  );
  const together = await inLanes(batches, LANES, (batch) => compareTogether(ask, batch));
  const queries = await inLanes(QUERIES, LANES, (query) => compareBoth(ask, HOSTILE_ROWS + query, query));
  return [...refused, ...together.flat(), ...queries];
}

/** Halves, where they are not all the same, until the one is found that is not. */
async function compareTogether(ask: Ask, expressions: readonly string[]): Promise<Compared[]> {
  const [first, ...more] = expressions;
  if (more.length === 0) return compareOne(ask, first!);
  const together = await compareBoth(ask, overRows(expressions));
  if (together.verdict === "same") return expressions.map((sql) => ({ sql, verdict: "same", why: "" }));
  const half = expressions.length >> 1;
  return [
    ...(await compareTogether(ask, expressions.slice(0, half))),
    ...(await compareTogether(ask, expressions.slice(half))),
  ];
}

/** Where both fail at some row, the others are compared one by one. */
async function compareOne(ask: Ask, expression: string): Promise<Compared[]> {
  const whole = await compareBoth(ask, overRows([expression]), expression);
  if (whole.verdict !== "bothFail") return [whole];
  const rows: Compared[] = [];
  for (let row = 1; row <= ROW_COUNT; row++)
    rows.push(await compareBoth(ask, overRows([expression], `rn = ${row}`), `${expression} in row ${row}`));
  const bad = rows.filter(({ verdict }) => verdict !== "same" && verdict !== "bothFail");
  return bad.length > 0
    ? bad
    : [rows.some(({ verdict }) => verdict === "same") ? { ...whole, verdict: "same" } : whole];
}
