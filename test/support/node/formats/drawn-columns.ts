// Tables of drawn values, of each type that a statement on the lake can give.

/** Type, extremes that Arrow holds, and an SQL expression of `h`, a UBIGINT drawn for each cell. */
export const TYPES: Array<[type: string, extremes: string[], drawn: string]> = [
  ["BOOLEAN", ["true", "false"], "h % 2 = 0"],
  ["TINYINT", ["-128", "127", "0"], "(h % 256)::SMALLINT - 128"],
  ["SMALLINT", ["-32768", "32767"], "(h % 65536)::INTEGER - 32768"],
  ["INTEGER", ["-2147483648", "2147483647"], "(h % 4294967296)::BIGINT - 2147483648"],
  ["BIGINT", ["-9223372036854775808", "9223372036854775807", "-1"], "h::HUGEINT - 9223372036854775808"],
  [
    "HUGEINT",
    [`${"9".repeat(38)}`, `-${"9".repeat(38)}`, "-1", "18446744073709551616"],
    "h::HUGEINT * 5000000000000000007",
  ],
  ["UTINYINT", ["0", "255"], "h % 256"],
  ["USMALLINT", ["65535"], "h % 65536"],
  ["UINTEGER", ["4294967295"], "h % 4294967296"],
  ["UBIGINT", ["18446744073709551615"], "h"],
  ["UHUGEINT", [`${"9".repeat(38)}`, "0"], "h::UHUGEINT * 5000000000000000007"],
  ["BIGNUM", ["-9223372036854775808", "9".repeat(50)], "h::HUGEINT - 9223372036854775808"],
  ["DOUBLE", ["0.1", "'nan'", "'inf'", "'-inf'", "'-0.0'", "1.7976931348623157e308", "5e-324"], "h / 7919.0"],
  ["DECIMAL(4,2)", ["-99.99", "99.99", "-0.01"], "(h % 19999)::DECIMAL(9,0) / 100 - 99.99"],
  ["DECIMAL(3,3)", ["-0.999", "0.001"], "((h % 999) / 1000.0)"],
  ["DECIMAL(9,0)", ["-999999999", "999999999"], "h % 999999999"],
  ["DECIMAL(18,6)", ["-999999999999.999999", "0.000001"], "(h % 1000000000) / 1000.0"],
  ["DECIMAL(38,9)", [`-${"9".repeat(29)}.999999999`, "12345678901234567890123456789.123456789"], "(h % 100000000)"],
  ["DATE", ["'0001-01-01'", "'999999-12-31'", "'1970-01-01'"], "DATE '1970-01-01' + (h % 60000)::INTEGER - 30000"],
  ["TIME", ["'00:00:00'", "'23:59:59.999999'"], "TIME '00:00:00' + to_microseconds((h % 86400000000)::BIGINT)"],
  ["TIMETZ", ["'10:00:00+01:30'", "'24:00:00-15:59:59'"], "'01:02:03.5+00'::TIMETZ"],
  ["TIME_NS", ["'23:59:59.999999'"], "TIME '00:00:00' + to_seconds((h % 86400)::BIGINT)"],
  [
    "TIMESTAMP",
    ["'0001-01-01 00:00:00'", "'1969-12-31 23:59:59.999999'", "'294247-01-09 23:59:59.999999'"],
    "make_timestamp((h % 4000000000000000)::BIGINT - 2000000000000000)",
  ],
  ["TIMESTAMP_S", ["'0001-01-01 00:00:00'", "'1969-12-31 23:59:59'"], "make_timestamp((h % 4000000000000000)::BIGINT)"],
  [
    "TIMESTAMP_MS",
    ["'0001-01-01 00:00:00.001'", "'1969-12-31 23:59:59.999'"],
    "make_timestamp((h % 4000000000000000)::BIGINT)",
  ],
  [
    "TIMESTAMP_NS",
    ["'1969-12-31 23:59:59.999999'", "'2262-04-11 23:47:16.854775'"],
    "make_timestamp((h % 4000000000000000)::BIGINT)",
  ],
  ["TIMESTAMPTZ", ["'0001-01-01 00:00:00Z'", "'9999-12-31 23:59:59Z'"], "to_timestamp((h % 4000000000)::BIGINT / 7)"],
  [
    "VARCHAR",
    [
      "''",
      "'twelve bytes'",
      "'thirteen byte'",
      "'é😀'",
      "chr(0) || 'null'",
      "repeat('é', 3000)",
      "chr(65279) || 'mark'",
    ],
    "left(repeat(md5(h::VARCHAR), 3), (h % 90)::INTEGER)",
  ],
  [
    "BLOB",
    ["''", "'\\xFF\\x00\\xAA'", "encode(repeat('a', 5000))"],
    "encode(left(repeat(md5(h::VARCHAR), 2), (h % 60)::INTEGER))",
  ],
  [
    "UUID",
    ["'00000000-0000-0000-0000-000000000000'", "'ffffffff-ffff-ffff-ffff-ffffffffffff'"],
    "md5(h::VARCHAR)::UUID",
  ],
  [
    "INTERVAL",
    [
      "'1 month -3 days 2.5 seconds'",
      "'0 seconds'",
      "'-1 year -11 months -0.000001 seconds'",
      "to_months(-2147483647) + to_days(-2147483648) + to_microseconds(-9223372036854775808)",
      "to_months(14) + to_days(1)",
      "to_hours(-100000)",
    ],
    "to_microseconds((h::HUGEINT - 9223372036854775808)::BIGINT)",
  ],
  ["BIT", ["'0'", "'101'"], "(h % 65536)::INTEGER::BIT"],
  ["JSON", ["'{\"a\":\n1.10}'", "'NaN'", "'null'"], "'[' || h || ']'"],
  ["UNION(k DOUBLE, l VARCHAR)", ["union_value(k := 'nan'::DOUBLE)"], "union_value(l := md5(h::VARCHAR))"],
  ["VARIANT", ["{'a': [1]}"], "h"],
];

/** The SQL of a cell: of every ten cells `nulls` are NULL, and two are extremes. */
const cellSql = ([type, extremes, drawn]: (typeof TYPES)[number], nulls: number): string => {
  const listed = extremes.map((each, i) => `WHEN ${i} THEN CAST(${each} AS ${type})`).join(" ");
  return (
    `CASE WHEN h % 10 < ${nulls} THEN NULL ` +
    `WHEN h % 10 < ${nulls + 2} THEN CASE (h // 10) % ${extremes.length} ${listed} END ELSE CAST(${drawn} AS ${type}) END`
  );
};

/** Each column has a hash of its own, by the row and the seed. */
export const tableSql = (
  picked: readonly number[],
  { rows, nulls, seed }: { rows: number; nulls: number; seed: number },
) => {
  const columns = picked.map((type, i) => `(${cellSql(TYPES[type]!, nulls).replaceAll(/\bh\b/g, `h${i}`)}) AS v${i}`);
  const hashes = picked.map((_, i) => `hash(range, ${seed}, ${i}) AS h${i}`);
  return `SELECT ${columns.join(", ")} FROM (SELECT ${hashes.join(", ")} FROM range(${rows}))`;
};
