// DuckDB's types as Snowflake's answers describe them, and DuckDB's values as they have them.

/** A column as an answer's `rowtype` has it. */
export type FakeColumn = {
  name: string;
  type: string;
  nullable: boolean;
  precision: number | null;
  scale: number | null;
  length: number | null;
  byteLength: null;
  extTypeName?: string;
};

const INTEGER = /^U?(?:TINY|SMALL|BIG|HUGE)?INT(?:EGER)?$/;

/** `declared` is the type that the column of this name was created with. */
export function describeType(name: string, duckdb: string, declared: string | undefined): FakeColumn {
  const column = { name, nullable: true, precision: null, scale: null, length: null, byteLength: null };
  const decimal = /^DECIMAL\((\d+),(\d+)\)$/.exec(duckdb);
  if (decimal) return { ...column, type: "fixed", precision: Number(decimal[1]), scale: Number(decimal[2]) };
  if (INTEGER.test(duckdb)) return { ...column, type: "fixed", precision: 38, scale: 0 };
  if (duckdb === "DOUBLE" || duckdb === "FLOAT") return { ...column, type: "real" };
  if (duckdb === "BOOLEAN") return { ...column, type: "boolean" };
  if (duckdb === "BLOB") return { ...column, type: "binary", length: 8_388_608 };
  if (duckdb === "DATE") return { ...column, type: "date" };
  if (duckdb === "TIME") return { ...column, type: "time", scale: 9 };
  if (duckdb === "TIMESTAMP WITH TIME ZONE")
    return { ...column, type: declared?.startsWith("TIMESTAMP_TZ") ? "timestamp_tz" : "timestamp_ltz", scale: 9 };
  if (duckdb.startsWith("TIMESTAMP")) return { ...column, type: "timestamp_ntz", scale: 9 };
  if (declared === "GEOGRAPHY") return { ...column, type: "object", extTypeName: "GEOGRAPHY" };
  if (duckdb === "JSON")
    return { ...column, type: /^(?:OBJECT|ARRAY)/.exec(declared ?? "")?.[0].toLowerCase() ?? "variant" };
  return { ...column, type: "text", length: 16_777_216 };
}

/** Seconds and nine digits of billionths, of a count of billionths. */
const seconds = (nanos: string): string =>
  `CASE WHEN ${nanos} < 0 THEN '-' ELSE '' END || CAST(abs(${nanos}) // 1000000000 AS VARCHAR) || '.' || ` +
  `lpad(CAST(abs(${nanos}) % 1000000000 AS VARCHAR), 9, '0')`;

/** An expression for the text by which an answer has the value. */
export function rawText(value: string, { type }: FakeColumn): string {
  switch (type) {
    case "boolean":
      return `CASE ${value} WHEN true THEN '1' WHEN false THEN '0' END`;
    case "binary":
      return `hex(${value})`;
    case "date":
      return `CAST(${value} - DATE '1970-01-01' AS VARCHAR)`;
    case "time":
      return seconds(`(epoch_us(${value})::HUGEINT * 1000)`);
    case "timestamp_ntz":
      return seconds(`CASE typeof(${value}) WHEN 'TIMESTAMP_NS' THEN epoch_ns(${value})::HUGEINT
        ELSE epoch_us(CAST(${value} AS TIMESTAMP))::HUGEINT * 1000 END`);
    case "timestamp_ltz":
      return seconds(`(epoch_us(${value})::HUGEINT * 1000)`);
    case "timestamp_tz":
      return `${seconds(`(epoch_us(${value})::HUGEINT * 1000)`)} || ' 1440'`;
    default:
      return `CAST(${value} AS VARCHAR)`;
  }
}
