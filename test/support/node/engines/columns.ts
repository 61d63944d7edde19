// Columns of every type of the lake, with values for each row number, the ends of each type, and what an engine sees.

import type { ClientTable } from "./engine-client.ts";

export type TestColumn = {
  name: string;
  /** As SQL of the lake has it. */
  type: string;
  /** As Iceberg has it; null where an engine does not see the column. */
  iceberg: string | null;
  /** SQL for the row number `n`. */
  value: string;
  /** SQL for a lowest and a highest value. */
  ends: [string, string];
};

type Cells = [name: string, type: string, iceberg: string | null, value: string, lowest: string, highest: string];
const column = (...[name, type, iceberg, value, lowest, highest]: Cells): TestColumn => ({
  ...{ name, type, iceberg, value },
  ends: [lowest, highest],
});

const START = "TIMESTAMP '2024-01-01 00:00:00.123456' + to_minutes(n)";

export const FLAT_COLUMNS: readonly TestColumn[] = [
  column("flag", "BOOLEAN", "boolean", "n % 3 = 0", "false", "true"),
  column("i8", "TINYINT", "int", "n * 7 % 100", "-128", "127"),
  column("i16", "SMALLINT", "int", "n * 300", "-32768", "32767"),
  column("i64", "BIGINT", "long", "n * 1000000007", "-9223372036854775808", "9223372036854775807"),
  column(
    "i128",
    "HUGEINT",
    "decimal(38,0)",
    "n::HUGEINT * 1000000000000000000000",
    `-${"9".repeat(38)}`,
    "9".repeat(38),
  ),
  column("d9", "DECIMAL(9,2)", "decimal(9,2)", "n / 4.0", "-9999999.99", "9999999.99"),
  column("d18", "DECIMAL(18,4)", "decimal(18,4)", "n * 1234567.0625", "-99999999999999.9999", "99999999999999.9999"),
  column("d38", "DECIMAL(38,6)", "decimal(38,6)", "n / 8.0", `-${"9".repeat(32)}.999999`, `${"9".repeat(32)}.999999`),
  column("f32", "FLOAT", "float", "n / 3.0", "'-inf'", "'nan'"),
  column("f64", "DOUBLE", "double", "n / 7.0", "-1.7976931348623157e308", "'inf'"),
  column("s", "VARCHAR", "string", "'text ' || n || ' é'", "''", "'zzz 😀'"),
  column("j", "JSON", "json", `'{"n": ' || n || '}'`, "'null'", `'{"a": [1, "b"]}'`),
  column("bin", "BLOB", "binary", "('b' || n)::BLOB", "''::BLOB", "'\\xFF\\x00'::BLOB"),
  column(
    ...(["u", "UUID", "uuid", "'00000000-0000-4000-8000-' || lpad(n::VARCHAR, 12, '0')"] as const),
    ...(["'00000000-0000-0000-0000-000000000000'", "'ffffffff-ffff-ffff-ffff-ffffffffffff'"] as const),
  ),
  column("d", "DATE", "date", "DATE '2024-01-01' + n::INTEGER", "'0001-01-01'", "'9999-12-31'"),
  column("ts", "TIMESTAMP", "timestamp", START, "'1677-09-21 00:12:44'", "'2262-04-11 23:47:16.854775'"),
  column("ts_s", "TIMESTAMP_S", "timestamp", START, "'1900-01-01'", "'2200-12-31 23:59:59'"),
  column("ts_ms", "TIMESTAMP_MS", "timestamp", START, "'1900-01-01'", "'2200-12-31 23:59:59.999'"),
  column("ts_ns", "TIMESTAMP_NS", null, START, "'1900-01-01'", "'2200-12-31 23:59:59.123456789'"),
  column(
    "tz",
    "TIMESTAMPTZ",
    "timestamptz",
    `(${START})::TIMESTAMPTZ`,
    "'1900-01-01 00:00:00+00'",
    "'2200-12-31 00:00:00.5+00'",
  ),
];

export const UNSIGNED_COLUMNS: readonly TestColumn[] = [
  column("u8", "UTINYINT", "int", "n % 200", "0", "255"),
  column("u16", "USMALLINT", "int", "n * 500", "0", "65535"),
  column("u32", "UINTEGER", null, "n * 50000000", "0", "4294967295"),
  column("u64", "UBIGINT", null, "n", "0", "18446744073709551615"),
];

export const TIME_COLUMN = column(
  ...(["t", "TIME", "time", "make_time(n % 24, n % 60, 7.123456)", "'00:00:00'", "'23:59:59.999999'"] as const),
);

export const NESTED_COLUMNS: readonly TestColumn[] = [
  column("l", "INTEGER[]", "list", "[n, NULL, n + 1]", "[]", "[NULL]"),
  column(
    "st",
    "STRUCT(a INTEGER, b VARCHAR)",
    "struct",
    "{'a': n, 'b': 'b' || n}",
    "{'a': NULL, 'b': NULL}",
    "{'a': -1, 'b': ''}",
  ),
  column("m", "MAP(VARCHAR, INTEGER)", "map", "MAP {'k' || n: n}", "MAP {}", "MAP {'a': NULL, 'b': 2}"),
  column(
    "ls",
    "STRUCT(x BIGINT, y VARCHAR[])[]",
    "list",
    "[{'x': n, 'y': ['a', NULL]}]",
    "[]",
    "[{'x': NULL, 'y': []}]",
  ),
];

/** Whether Iceberg has no type for the column that every engine reads exactly. */
export const isUnreadable = (type: string): boolean => ["UINTEGER", "UBIGINT", "TIMESTAMP_NS"].includes(type);

export const isNested = (type: string): boolean => type.endsWith("[]") || /^(STRUCT|MAP)\(/.test(type);

/** Every fifth number has no values. */
const valueAt = ({ value, type }: TestColumn): string => `CASE WHEN n % 5 = 4 THEN NULL ELSE (${value})::${type} END`;

/** A statement that answers rows of the numbers from `from` to before `to`, under the columns' names. */
export const rowsOfNumbers = (columns: readonly TestColumn[], from: number, to: number): string =>
  `SELECT n::INTEGER AS id, ${columns.map((each) => `${valueAt(each)} AS ${each.name}`).join(", ")} ` +
  `FROM range(${from}, ${to}) AS numbers (n)`;

/** A statement that answers the rows of few numbers so often that files keep their values in dictionaries. */
export const repeatedRows = (columns: readonly TestColumn[]): string =>
  `SELECT few.* FROM (${rowsOfNumbers(columns, 0, 7)}) AS few, range(100)`;

/** A statement that answers the two rows with the ends of the types. */
export const rowsOfEnds = (columns: readonly TestColumn[]): string =>
  [0, 1]
    .map(
      (end) =>
        `SELECT ${1001 + end} AS id, ${columns.map(({ ends, type, name }) => `(${ends[end]})::${type} AS ${name}`).join(", ")}`,
    )
    .join(" UNION ALL ");

type ApiColumn = { name: string; type: string; kind: string };
type ApiAnswer = { types: ApiColumn[]; data: Record<string, unknown>[] };

/** An answer of the API as a client would have it, with the columns that `isSeen` names. */
export function asClientTable({ types, data }: ApiAnswer, isSeen: (column: ApiColumn) => boolean): ClientTable {
  const seen = types.filter(isSeen);
  return { columns: seen.map(({ name }) => name), rows: data.map((row) => seen.map(({ name }) => row[name])) };
}

/** Rows of the client and of the API in one form and order, for columns as the API describes them. */
export const comparable = ({ columns, rows }: ClientTable, types: readonly ApiColumn[]): string[] =>
  rows
    .map((row) =>
      JSON.stringify(
        row.map((value, index) =>
          inOneForm(
            value,
            types.find(({ name }) => name === columns[index]),
          ),
        ),
      ),
    )
    .sort();

/** The rows that only one of the two has, each as often as the other lacks it. */
export function differences(
  seen: readonly string[],
  wanted: readonly string[],
): { missing: string[]; surplus: string[] } {
  const lacking = (these: readonly string[], those: readonly string[]): string[] => {
    const left = [...those];
    return these.filter((each) => {
      const at = left.indexOf(each);
      if (at >= 0) left.splice(at, 1);
      return at < 0;
    });
  };
  return { missing: lacking(wanted, seen), surplus: lacking(seen, wanted) };
}

function inOneForm(value: unknown, column: ApiColumn | undefined): unknown {
  if (value === null || value === undefined) return null;
  const text = String(value);
  switch (column?.kind) {
    case "float": {
      const number = Number(text.replace("float:", "").replace("nan", "NaN").replace(/inf$/, "Infinity"));
      return String(column.type === "FLOAT" ? Math.fround(number) : number);
    }
    case "timestamp":
    case "timestamptz":
    case "time":
      return withMicroseconds(text);
    case "json":
      return textsIn(column.type === "JSON" && typeof value === "string" ? JSON.parse(value) : value);
    default:
      return text;
  }
}

const withMicroseconds = (text: string): string =>
  text.replace(
    /(:\d\d)(?:\.(\d+))?(Z?)$/,
    (_, seconds: string, fraction = "", zone: string) => `${seconds}.${fraction.padEnd(6, "0")}${zone}`,
  );

/** With texts in place of numbers and of truth values, and an object's members in the order of their names. */
function textsIn(value: unknown): unknown {
  if (value === null || value === undefined) return null;
  if (Array.isArray(value)) return value.map(textsIn);
  if (typeof value !== "object") return String(value);
  return Object.fromEntries(
    Object.entries(value)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, each]) => [name, textsIn(each)]),
  );
}
