// Expressions of every operator and function with values of every type, at the ends of their ranges among them.

const ROWS = [
  [
    "7",
    "BIGINT '9000000000000000000'",
    "1.25",
    "1e0",
    "'abc'",
    "true",
    "DATE '2024-02-29'",
    "TIMESTAMP '2024-02-29 10:11:12.345678'",
  ],
  [
    "-7",
    "BIGINT '-9000000000000000000'",
    "-1.25",
    "-1.5e0",
    "'ABC'",
    "false",
    "DATE '1969-12-31'",
    "TIMESTAMP '1969-12-31 23:59:59.999999'",
  ],
  ["0", "BIGINT '0'", "0.00", "0e0", "''", "NULL", "DATE '0001-01-01'", "TIMESTAMP '1582-10-10 00:00:00.000000'"],
  [
    "2147483647",
    "BIGINT '3'",
    "9999999999.99",
    "0e0 / 0e0",
    "'a b%_c '",
    "true",
    "DATE '9999-12-31'",
    "TIMESTAMP '9999-12-31 23:59:59.999999'",
  ],
  [
    "-2147483648",
    "BIGINT '-3'",
    "-9999999999.99",
    "1e0 / 0e0",
    "'éß🤦🏼İ'",
    "false",
    "DATE '1970-01-01'",
    "TIMESTAMP '1970-01-01 00:00:00.000001'",
  ],
  ["NULL", "NULL", "NULL", "NULL", "NULL", "NULL", "NULL", "NULL"],
  ["5", "BIGINT '10'", "0.05", "2.5e0", "'10'", "true", "DATE '2024-03-31'", "TIMESTAMP '2024-03-31 01:30:00.500000'"],
  [
    "6",
    "BIGINT '7'",
    "0.15",
    "-2.5e0",
    "'abc '",
    "false",
    "DATE '2023-01-01'",
    "TIMESTAMP '2023-01-01 12:00:00.000000'",
  ],
  [
    "100",
    "BIGINT '100'",
    "2.50",
    "1e300",
    "'b'",
    "true",
    "DATE '2021-01-03'",
    "TIMESTAMP '2021-01-03 23:59:59.999500'",
  ],
];
export const ROW_COUNT = ROWS.length;

/** A query `t` with a column of each type. */
export const HOSTILE_ROWS =
  "WITH t(rn, i, b, d, f, s, bo, dt, ts) AS (SELECT rn, CAST(i AS integer), CAST(b AS bigint), " +
  "CAST(d AS decimal(12, 2)), CAST(f AS double), CAST(s AS varchar), CAST(bo AS boolean), CAST(dt AS date), " +
  `CAST(ts AS timestamp(6)) FROM (VALUES ${ROWS.map((row, i) => `(${[i + 1, ...row].join(", ")})`).join(", ")}) ` +
  "AS v(rn, i, b, d, f, s, bo, dt, ts)) ";

export const COLUMNS = ["i", "b", "d", "f", "s", "bo", "dt", "ts"];

const NUMBERS = ["i", "b", "d", "f", "2", "3.5", "1e1", "0.125", "12345678901234567890.5"];
const TYPES = [
  ...["tinyint", "smallint", "integer", "bigint", "real", "double", "decimal(5, 1)", "decimal(38, 10)"],
  ...["decimal(10, 0)", "varchar", "varchar(2)", "boolean", "date", "timestamp", "timestamp(0)", "timestamp(6)"],
  "timestamp(3) with time zone",
];
const TEXTS = ["1.5", " 12 ", "abc", "2024-02-30", "2024-02-29", "true", "1e3", "-0", "2024-02-29 10:11:12.3456789"];
const OF_ONE = [
  ...["abs", "sqrt", "floor", "ceil", "ceiling", "round", "truncate", "is_nan", "sign", "cbrt", "exp", "ln", "log10"],
  ...["length", "upper", "lower", "trim", "ltrim", "rtrim", "reverse", "date", "year", "quarter", "month", "week"],
  ...["week_of_year", "day", "day_of_month", "day_of_week", "dow", "day_of_year", "doy", "hour", "minute", "second"],
  ...["millisecond", "last_day_of_month", "year_of_week", "typeof", "is_finite", "is_infinite", "degrees", "radians"],
];
const UNITS = ["millisecond", "second", "minute", "hour", "day", "week", "month", "quarter", "year"];

function numeric(): string[] {
  const two = NUMBERS.flatMap((a) =>
    NUMBERS.flatMap((b) => [
      ...["+", "-", "*", "/", "%", "=", "<>", "<", ">="].map((sign) => `${a} ${sign} ${b}`),
      ...[`${a} IS DISTINCT FROM ${b}`, `greatest(${a}, ${b})`, `least(${a}, ${b})`, `coalesce(${a}, ${b})`],
      ...[`nullif(${a}, ${b})`, `mod(${a}, ${b})`, `power(${a}, ${b})`, `CASE WHEN bo THEN ${a} ELSE ${b} END`],
      ...[`if(bo, ${a}, ${b})`, `${a} IN (${b}, 7)`, `${a} BETWEEN ${b} AND 10`],
    ]),
  );
  const rounds = ["i", "b", "d", "f", "2.567", "-2.5"].flatMap((a) =>
    ["0", "1", "2", "-1", "5"].map((digits) => `round(${a}, ${digits})`),
  );
  return [...two, ...rounds];
}

const casts = (): string[] => [
  ...COLUMNS.flatMap((a) => TYPES.flatMap((type) => [`CAST(${a} AS ${type})`, `TRY_CAST(${a} AS ${type})`])),
  ...TEXTS.flatMap((text) => TYPES.map((type) => `CAST('${text}' AS ${type})`)),
  ...OF_ONE.flatMap((name) => COLUMNS.map((a) => `${name}(${a})`)),
];

const texts = (): string[] =>
  ["s", "'abcdef'", "'éa🤦🏼b'"].flatMap((a) => [
    ...["0", "1", "2", "-1", "-2", "10"].flatMap((from) => [
      `substr(${a}, ${from})`,
      ...["0", "1", "3", "-1"].map((count) => `substr(${a}, ${from}, ${count})`),
    ]),
    ...["s", "'b'", "''", "' '"].flatMap((b) => [
      ...[`strpos(${a}, ${b})`, `replace(${a}, ${b})`, `replace(${a}, ${b}, 'x')`, `starts_with(${a}, ${b})`],
      ...[`${a} || ${b}`, `concat(${a}, ${b})`, `${a} = ${b}`, `${a} < ${b}`, `greatest(${a}, ${b})`],
      ...[`${a} IN (${b}, 'abc')`, `nullif(${a}, ${b})`, `coalesce(${a}, ${b})`, `concat_ws('-', ${a}, ${b})`],
      ...[1, 2, 5].map((place) => `split_part(${a}, ${b}, ${place})`),
      ...[0, 2, 8].flatMap((size) => [`lpad(${a}, ${size}, ${b})`, `rpad(${a}, ${size}, ${b})`]),
    ]),
    ...["'a%'", "'%_c_'", "'A__'", "'%\\%%'", "''", "'%'"].flatMap((b) => [`${a} LIKE ${b}`, `${a} NOT LIKE ${b}`]),
    ...[`${a} LIKE '%#%%' ESCAPE '#'`, `${a} LIKE '%#_%' ESCAPE '#'`, `position('b' IN ${a})`],
    ...[`substring(${a} FROM 2)`, `substring(${a} FROM 2 FOR 1)`, `trim(BOTH FROM ${a})`, `codepoint(${a})`],
    ...[`from_iso8601_date(${a})`, `regexp_like(${a}, 'b')`, `split(${a}, 'b')`, `cardinality(split(${a}, 'b'))`],
  ]);

const moments = (): string[] =>
  UNITS.flatMap((unit) => [
    ...["dt", "ts", "TIMESTAMP '2024-02-29 10:11:12'"].flatMap((a) => [
      `date_trunc('${unit}', ${a})`,
      ...["1", "-1", "13", "i"].map((count) => `date_add('${unit}', ${count}, ${a})`),
      ...["dt", "ts", "DATE '2024-03-31'"].map((b) => `date_diff('${unit}', ${a}, ${b})`),
      ...["+", "-"].flatMap((sign) =>
        ["1", "13"].map((count) => `${a} ${sign} INTERVAL '${count}' ${unit.toUpperCase()}`),
      ),
    ]),
    ...["ts", "dt"].map((a) => `EXTRACT(${unit.toUpperCase()} FROM ${a})`),
  ]);

const others = (): string[] => [
  ...["=", "<", ">="].flatMap((sign) => [
    ...[`dt ${sign} ts`, `dt ${sign} DATE '2024-01-01'`, `ts ${sign} TIMESTAMP '2024-01-01 00:00:00'`],
    ...[`bo ${sign} true`, `s ${sign} 'abc'`, `ts ${sign} DATE '2024-01-01'`],
  ]),
  ...["NOT bo", "bo AND i > 0", "bo OR f > 0", "i IS NULL", "f IS NOT NULL", "NULL", "bo = NULL", "-i", "-d", "-f"],
  ...["+i", "i IN (SELECT 7)", "i NOT IN (7, NULL)", "EXISTS (SELECT 1)", "(SELECT max(i) FROM t)"],
  ...["i = ANY (SELECT 7)", "ROW(1, 'a')", "ARRAY[1, i]", "CASE i WHEN 7 THEN 'a' WHEN 5 THEN 'bcd' END"],
  ...["CASE WHEN i > 5 THEN 1 WHEN i > 1 THEN 2.5 ELSE 3e0 END", "f IN (1e0, 2.5e0, nan())", "pi()", "e()"],
  ...["bitwise_and(i, 6)", "to_unixtime(ts)", "from_unixtime(b)", "date_format(ts, '%Y-%m-%d')", "try(i / 0)"],
  ...[
    "regexp_replace(s, '[a-z]', '<$0>')",
    "regexp_extract(s, '(.)b')",
    "regexp_split(s, ' ')",
    "regexp_like(s, 'b$')",
  ],
  ...["CAST(ts AT TIME ZONE 'UTC' AS date)", "CAST(ts AT TIME ZONE 'UTC' AS timestamp(3))"],
  ...["hour(ts AT TIME ZONE 'UTC')", "date_trunc('day', ts AT TIME ZONE 'UTC')"],
  ...["date_format(ts, '%Y-%m-%d %H:%i:%s')", "date_format(dt, '%b %d, %Y')", "date_format(ts, '%W %M %e %p %y %j')"],
];

/** Expressions of two kinds of moments beside each other, of seconds since 1970, and of elements. */
const mixed = (): string[] => [
  ...["=", "<", ">=", "<>"].flatMap((sign) =>
    ["dt", "ts"].flatMap((a) => [
      `${a} ${sign} TIMESTAMP '2024-02-29 00:00:00 UTC'`,
      `${a} ${sign} (ts AT TIME ZONE '+05:30')`,
      `${a} ${sign} from_unixtime(i)`,
    ]),
  ),
  ...["dt", "ts"].flatMap((a) => [
    `${a} BETWEEN TIMESTAMP '1970-01-01 00:00:00 UTC' AND TIMESTAMP '2024-03-01 00:00:00'`,
    `${a} IN (TIMESTAMP '2024-02-29 00:00:00 UTC', DATE '1970-01-01')`,
    `${a} IS DISTINCT FROM TIMESTAMP '2024-02-29 00:00:00 UTC'`,
  ]),
  ...UNITS.flatMap((unit) => [`date_diff('${unit}', dt, ts)`, `date_diff('${unit}', ts, ts AT TIME ZONE 'UTC')`]),
  ...["second", "minute", "hour", "day"].flatMap((unit) =>
    ["i % 1000", "-2", "hour(ts) % 6", "rn"].flatMap((count) => [
      `ts - interval '1' ${unit} * (${count})`,
      `ts + (${count}) * interval '3' ${unit}`,
      `dt + interval '2' ${unit} * (${count})`,
    ]),
  ),
  ...["i", "b", "d", "f", "i / 7e0"].flatMap((a) => [`from_unixtime(${a})`, `from_unixtime(${a}, '+02:00')`]),
  ...[
    "to_unixtime(ts AT TIME ZONE 'UTC')",
    "with_timezone(ts, '-08:00')",
    "at_timezone(ts AT TIME ZONE 'UTC', '+01:00')",
  ],
  ...["CAST(ts AS time)", "CAST(ts AS time(6))", "CAST(ts AS time(0))", "CAST(f AS real)", "CAST(s AS varbinary)"],
  ...[
    "CAST(CAST(d AS decimal(38, 10)) AS double)",
    "CAST(d AS decimal(38, 10)) * 1e0",
    "CAST(b AS decimal(38, 19)) / 3e0",
  ],
  ...["sum(d) OVER () + 0e0", "avg(CAST(d AS decimal(30, 10))) OVER () / 3e0"],
  ...["i", "b", "d", "s", "bo", "dt", "ts"].flatMap((a) => [
    `MAP(ARRAY[coalesce(${a}, ${a})], ARRAY[f])`,
    `element_at(MAP(ARRAY[1, 2, 7], ARRAY[${a}, NULL, ${a}]), i)`,
    `element_at(ARRAY[${a}, NULL, ${a}], i % 5)`,
    `ROW(${a}, NULL)`,
  ]),
  ...["ARRAY[1, 2, 3][i % 4]", "MAP(ARRAY['abc', '10'], ARRAY[1, 2])[s]", "cardinality(regexp_split(s, 'b'))"],
];

export const EXPRESSIONS: readonly string[] = [
  ...new Set([...numeric(), ...casts(), ...texts(), ...moments(), ...others(), ...mixed()]),
];
