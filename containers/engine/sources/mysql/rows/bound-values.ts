// Values bound to a statement: variables of the session, for the text protocol carries none.

import type { BoundValue } from "../../../../../kernel/semantic/query.ts";
import type { FetchRows } from "../../row-collector.ts";

const STATEMENT = "fjord_statement";
/**
 * One SET holds at most this many characters unless a single value is longer; every server takes far more in a packet.
 */
const CHARACTERS_MAX = 500_000;

/**
 * Has the server prepare `sql`, with a `?` for each value, and gives what to send to run it. A value that is bound
 * several times is one variable: a filter of many texts has each of them twice. Texts go as hexadecimal digits, so that
 * no character of a value, or of the statement, is looked at before the server knows what it is of.
 */
export async function prepareWithValues(
  sql: string,
  values: readonly BoundValue[],
  fetchRows: FetchRows,
): Promise<string> {
  const names = new Map([...new Set(values)].map((value, i) => [value, `@fjord_${i + 1}`]));
  const assignments = [...names, [sql, `@${STATEMENT}`] as const].map(([value, name]) => `${name} = ${literal(value)}`);
  for (const some of piecesOf(assignments)) await fetchRows(`SET ${some.join(", ")}`, "");
  await fetchRows(`PREPARE ${STATEMENT} FROM @${STATEMENT}`, "");
  return `EXECUTE ${STATEMENT}${values.length > 0 ? ` USING ${values.map((value) => names.get(value)).join(", ")}` : ""}`;
}

const literal = (value: BoundValue): string =>
  typeof value === "string" ? `CONVERT(x'${Buffer.from(value).toString("hex")}' USING utf8mb4)` : String(value);

function piecesOf(assignments: readonly string[]): string[][] {
  const pieces: string[][] = [];
  let characters = Infinity;
  for (const assignment of assignments) {
    if (characters + assignment.length > CHARACTERS_MAX) {
      pieces.push([]);
      characters = 0;
    }
    pieces.at(-1)!.push(assignment);
    characters += assignment.length;
  }
  return pieces;
}
