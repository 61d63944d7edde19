// SQL Server hashes a table in this dialect, its T-SQL for rows, keys and sums, of which `sources/digests/` makes
// statements.

import { quoteLiteral } from "../../../duckdb/quoting.ts";
import type { SourceColumn } from "../../../extract/source-table.ts";
import type { DigestDialect, Ordinal } from "../../digests/dialect.ts";
import type { SnapshotRows } from "../../row-collector.ts";
import { quoteName, quoteTable } from "../sql-text.ts";
import type { SqlServerTable } from "./describe-table.ts";
import type { DeclaredColumn } from "./plan-column.ts";
import { rowText } from "./row-text.ts";

/** `hasUtf8`: the server can write a text as UTF-8, as from 2019 on. */
type Server = SnapshotRows & { hasUtf8: boolean };

/** A whole number that 64 bits hold, and what is reckoned of it. */
const WHOLE = "decimal(20,0)";
const ORDINAL_DIGITS_MAX = 18;
const EPOCH = "1970-01-01 00:00:00";

export function digestDialect(server: Server, table: SqlServerTable): DigestDialect {
  const declaredOf = ({ name }: SourceColumn): DeclaredColumn => table.declared.get(name)!;
  return {
    fetchRows: (sql, format, signal) => server.fetchRows(sql, format, signal),
    from: quoteTable(table),
    count: "COUNT_BIG(*)",
    rowText: rowText([...table.declared.values()]),
    keyText: (column) => keyText(column, declaredOf(column), server.hasUtf8),
    joinTexts: (texts) => `CONCAT(CONVERT(varchar(max), ''), ${texts.join(", ',', ")})`,
    ordinal: (column) => ordinal(declaredOf(column)),
    // The remainder is taken away first, for a quotient is rounded to some digits.
    divide: (number, by) => `CONVERT(${WHOLE}, (${number} - ${number} % ${by}) / ${by})`,
    hash: (text) => `HASHBYTES('SHA2_256', ${text})`,
    firstDigits: (hash, count) => `LOWER(LEFT(CONVERT(varchar(64), ${hash}, 2), ${count}))`,
    sumHashes: (hash) => [sumOfBytes(hash, 1), sumOfBytes(hash, 9)],
  };
}

/** Eight bytes are a number with a sign to the server. */
const sumOfBytes = (hash: string, from: number): string =>
  `SUM(CONVERT(decimal(38,0), CONVERT(bigint, SUBSTRING(${hash}, ${from}, 8)))
    + CASE WHEN SUBSTRING(${hash}, ${from}, 1) >= 0x80 THEN 18446744073709551616 ELSE 0 END)`;

/** The key's text as DuckDB prints the lake's column; undefined where it can't be printed so. */
function keyText(column: SourceColumn, declared: DeclaredColumn, hasUtf8: boolean): string | undefined {
  const { lake, select } = column;
  const name = quoteName(column.name);
  const text = (value: string, type = "varchar(41)") => `COALESCE(CONVERT(${type}, ${value}), 'N')`;
  const digits = /^decimal\((\d+), ?(\d+)\)$/.exec(lake.type);
  if (digits) {
    const number = `CONVERT(varchar(41), CONVERT(${lake.type}, ${name}))`;
    // DuckDB leaves out the zero of a number that has digits behind the point only.
    return text(digits[1] === digits[2] ? `REPLACE(${number}, '0.', '.')` : number);
  }
  switch (lake.type) {
    case "int16":
    case "int32":
    case "int64":
      return text(name);
    case "boolean":
      return `CASE WHEN ${name} = 1 THEN 'true' WHEN ${name} = 0 THEN 'false' ELSE 'N' END`;
    case "uuid":
      return text(`LOWER(CONVERT(varchar(36), ${name}))`);
    case "date":
      return `COALESCE(CONVERT(varchar(10), ${name}, 23), 'N')`;
    case "timestamp":
      return timeText(name);
    case "timestamptz":
      return timeText(`CONVERT(datetime2(7), SWITCHOFFSET(${name}, '+00:00'))`, "+00");
    case "blob":
      return declared.isEncrypted ? undefined : `CONVERT(varchar(max), CONVERT(varbinary(max), ${name}), 2)`;
    case "varchar":
      return hasUtf8 ? utf8Text(select) : undefined;
    default:
      return undefined;
  }
}

/** Without zeros behind the last digit that counts, and without a point before nothing. */
function timeText(time: string, zone = ""): string {
  const printed = `CONVERT(varchar(27), ${time}, 121)`;
  const fraction = `REPLACE(RTRIM(REPLACE(STUFF(${printed}, 1, 20, ''), '0', ' ')), ' ', '0')`;
  const point = `CASE WHEN ${fraction} = '' THEN '' ELSE '.' END`;
  return `CASE WHEN ${time} IS NULL THEN 'N' ELSE CONCAT(LEFT(${printed}, 19), ${point}, ${fraction}, '${zone}') END`;
}

/** How many bytes of UTF-8 it has, a blank, the text. */
function utf8Text(value: string): string {
  const text = `CONVERT(varchar(max), CONVERT(nvarchar(max), ${value}) COLLATE Latin1_General_100_BIN2_UTF8)`;
  return `CONCAT(DATALENGTH(${text}), ' ', ${text})`;
}

function ordinal({ name: own, typeName, precision, scale }: DeclaredColumn): Ordinal | undefined {
  const name = quoteName(own);
  const number = (sql: string) => `CONVERT(${WHOLE}, ${sql})`;
  const time = (type: string, zone: string): Ordinal => ({
    sql: number(`DATEDIFF_BIG(second, CONVERT(${type}, '${EPOCH}${zone}', 121), ${name})`),
    unit: "second",
    compared: name,
    literal: (text) => `CONVERT(${type}, ${quoteLiteral(text + zone)}, 121)`,
  });
  switch (typeName) {
    case "tinyint":
    case "smallint":
    case "int":
    case "bigint":
      return { sql: number(name), unit: "one", compared: name, literal: (text) => text };
    case "decimal":
    case "numeric":
      return scale === 0 && precision <= ORDINAL_DIGITS_MAX
        ? { sql: number(name), unit: "one", compared: name, literal: (text) => text }
        : undefined;
    case "date":
      return {
        sql: number(`DATEDIFF(day, CONVERT(date, '1970-01-01', 23), ${name})`),
        unit: "day",
        compared: name,
        literal: (text) => `CONVERT(date, ${quoteLiteral(text)}, 23)`,
      };
    case "datetime2":
    case "datetime":
    case "smalldatetime":
      return time("datetime2(7)", "");
    case "datetimeoffset":
      return time("datetimeoffset(7)", " +00:00");
    default:
      return undefined;
  }
}
