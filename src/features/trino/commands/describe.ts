// DESCRIBE INPUT and DESCRIBE OUTPUT say of a prepared statement what it takes, and what it answers.

import type { Statement } from "../../trino-sql/parse/parse-statement.ts";
import { unsupported } from "../../trino-sql/refusal.ts";
import { SHORT_DIGITS_MAX } from "../../trino-sql/translate/typed.ts";
import { UPDATES } from "../../trino-sql/translate/write/translate-write.ts";
import type { CarriedName } from "../../trino-sql/carried-types.ts";
import { BIGINT, BOOLEAN, nameOf, VARCHAR, type Type } from "../../trino-sql/trino-types.ts";
import { answerRows } from "../answer.ts";
import type { Exchange } from "../exchange.ts";
import { openCatalogOf, translateSql } from "../translated-query.ts";
import { isShow, queryOfShow } from "./look-around.ts";

export function describeInput(asked: Exchange, statement: Statement): Response {
  const inner = statement.kind === "explain" ? statement.of : statement;
  const count = inner.kind === "query" || inner.kind === "write" ? inner.parameters : 0;
  const rows = Array.from({ length: count }, (_, i) => [i, "unknown"]);
  return answerRows(asked, { Position: BIGINT, Type: VARCHAR }, rows);
}

const OUTPUT = {
  "Column Name": VARCHAR,
  Catalog: VARCHAR,
  Schema: VARCHAR,
  Table: VARCHAR,
  Type: VARCHAR,
  "Type Size": BIGINT,
  Aliased: BOOLEAN,
};

export async function describeOutput(asked: Exchange, statement: Statement): Promise<Response> {
  const query =
    statement.kind === "query" ? statement : isShow(statement) ? queryOfShow(statement, asked.session) : undefined;
  // The columns of these are known only when they are shown.
  if (["explain", "showCreate", "showSession"].includes(statement.kind))
    throw unsupported("DESCRIBE OUTPUT of this statement", 1);
  if (!query) {
    const isCounted = statement.kind === "write" && UPDATES[statement.write.kind].isCounted;
    return answerRows(asked, OUTPUT, isCounted ? [["rows", "", "", "", "bigint", bytesOf(BIGINT), false]] : []);
  }
  const catalog = await openCatalogOf(asked, query);
  const { columns } = translateSql(asked, query, { catalog, values: undefined });
  const rows = columns.map(({ name, type, isAliased = false }, i) => [
    name ?? `_col${i}`,
    ...["", "", ""],
    nameOf(type, true),
    bytesOf(type),
    isAliased,
  ]);
  return answerRows(asked, OUTPUT, rows);
}

/** Types whose values have as many bytes each in Trino. */
const BYTES: Partial<Record<Type["kind"], number>> = {
  ...{ unknown: 1, boolean: 1, tinyint: 1, smallint: 2, integer: 4, bigint: 8, real: 4, double: 8 },
  ...{ date: 4, time: 8, timestamp: 8, uuid: 16 },
};
const [SHORT_MOMENT_DIGITS, SHORT_ZONED_TIME_DIGITS] = [3, 9];
const CARRIED_BYTES: Record<CarriedName, (digits: number) => number> = {
  char: () => 0,
  json: () => 0,
  time: () => 8,
  timestamp: () => 12,
  "time with time zone": (digits) => (digits <= SHORT_ZONED_TIME_DIGITS ? 8 : 12),
  "timestamp with time zone": (digits) => (digits <= SHORT_MOMENT_DIGITS ? 8 : 12),
  "interval year to month": () => 4,
  "interval day to second": () => 8,
  ipaddress: () => 16,
};

/** No bytes are said of a type whose values differ in theirs. */
function bytesOf(type: Type): number {
  if (type.kind === "decimal") return type.precision <= SHORT_DIGITS_MAX ? 8 : 16;
  if (type.kind === "timestamptz") return type.digits <= SHORT_MOMENT_DIGITS ? 8 : 12;
  if (type.kind === "carried") return CARRIED_BYTES[type.name](type.size ?? 0);
  return BYTES[type.kind] ?? 0;
}
