// Values of the types that DuckDB has not: char, JSON, intervals, times with a zone, and seconds of many digits.

const SECONDS = ["", ".1", ".123", ".1234567", ".000000001", ".123456789012", ".999999999999"];
const OFFSETS = [" +05:30", "-08:00", " +14:00", " -13:59"];
const ZONES = ["UTC", "+02:00", "-05:30", "UTC-05:30", "UTC+01:00", "Europe/Berlin", "US/Eastern", "Asia/Kolkata"];

const times = SECONDS.flatMap((fraction) => [
  `TIME '23:59:59${fraction}'`,
  `typeof(TIME '01:02:03${fraction}')`,
  ...OFFSETS.flatMap((offset) => [
    `TIME '01:02:03${fraction}${offset}'`,
    `typeof(TIME '01:02:03${fraction}${offset}')`,
  ]),
]);

const moments = SECONDS.flatMap((fraction) => [
  `TIMESTAMP '2024-02-29 10:11:12${fraction}'`,
  `TIMESTAMP '0001-01-01 00:00:00${fraction}'`,
  `TIMESTAMP '9999-12-31 23:59:59${fraction}'`,
  `typeof(TIMESTAMP '2024-02-29 10:11:12${fraction}')`,
  ...ZONES.flatMap((zone) => [
    `TIMESTAMP '2024-02-29 10:11:12${fraction} ${zone}'`,
    `TIMESTAMP '1582-10-10 10:11:12${fraction} ${zone}'`,
    `TIMESTAMP '0001-01-01 10:11:12${fraction} ${zone}'`,
  ]),
]);

const clocksPutBack = ["", ".5", ".123456789"].flatMap((fraction) => [
  `TIMESTAMP '2022-10-30 02:30:00${fraction} Europe/Berlin'`,
  `TIMESTAMP '2022-03-27 02:30:00${fraction} Europe/Berlin'`,
  `TIMESTAMP '2022-10-30 03:00:00${fraction} Europe/Berlin'`,
  `TIMESTAMP '2022-10-30 01:59:59${fraction} Europe/Berlin'`,
  `TIMESTAMP '2002-10-27 01:30:00${fraction} US/Eastern'`,
  `TIMESTAMP '2022-04-03 01:45:00${fraction} Australia/Lord_Howe'`,
]);

const texts = [
  ...["'ccc'", "''", "' a '", "'abcdefgh'", "'é🤦🏼'"].flatMap((text) => [
    ...["", "(1)", "(5)"].map((size) => `CAST(${text} AS char${size})`),
    `CAST(concat(${text}, '') AS char(3))`,
  ]),
  ...["CHAR 'trino'", "CHAR ' x '", "typeof(CHAR 'ab')", "typeof(CAST('a' AS char))", "CAST(NULL AS char(3))"],
  ...["CHAR 'a' = CHAR 'b'", "CAST('a' AS char(2)) < CAST('b' AS char(2))", "CHAR 'ab' IN (CHAR 'ab', CHAR 'cd')"],
  ...["U&'caf\\00e9'", "U&'a\\+01F600b'", "U&'a\\\\b'", "U&'it''s'", "typeof(U&'\\00e9x')"],
];

const JSON_TEXTS = [
  ...["null", "true", "1", "-12", '"a"', '""', "[]", "{}", "[1, 2, null]", ' { "b" : 1, "a" : [ ] } '],
  ...[
    '{"a": {"c": 1, "b": 2}}',
    '{"10": 1, "9": 2, "a": 3}',
    '"\\u00e9\\n\\t/"',
    '{"é": "🤦"}',
    '{"🤦": 1, "z": 2, "é": 3}',
    '{"a": 1, "a": 2}',
    "[[[]]]",
  ],
  ...[
    '"a\\"b\\\\c"',
    '"\\/"',
    '"\\b\\f\\r"',
    '"\u2028\u007f"',
    "123456789012345",
    '{"": 0}',
    '{"B": 1, "a": 2, "_": 3}',
  ],
];
const json = [
  ...JSON_TEXTS.flatMap((text) => [
    `JSON '${text}'`,
    `json_parse('${text}')`,
    `json_format(json_parse('${text}'))`,
    `CAST('${text}' AS json)`,
    `CAST(concat('${text}', '') AS json)`,
  ]),
  ...["CAST(NULL AS json)", "CAST(1 AS json)", "CAST(true AS json)", "CAST(BIGINT '-9000000000000000000' AS json)"],
  ...["typeof(JSON '1')", "ARRAY[JSON '1', NULL]", "JSON '1' IS NULL", "coalesce(JSON '1', JSON '2')"],
  ...["json_format(CAST('a b' AS json))", "MAP(ARRAY['a'], ARRAY[JSON '{}'])", "ROW(JSON '1', 1)"],
];

const DOCUMENTS = [
  ...[
    '{"a": 1}',
    '{"a": "x\\n\\u00e9"}',
    '{"a": {"b": "deep"}}',
    '{"a": [1]}',
    '{"a": null}',
    '{"a": true, "b": 2}',
    "[1, 2]",
  ],
  ...[
    '"root"',
    "12",
    "null",
    "{}",
    '{"a": 12345678901234567890}',
    '{"a": -5}',
    '{"a": 1, "a": 2}',
    '{"A": 1}',
    ' { "a" : "s" } ',
  ],
  ...[
    '{"a": {"b": {"c": false}}}',
    '{"b": [{"a": 1}], "a": "last"}',
    '{"a": ""}',
    '{"a": "\\ud83d\\ude00"}',
    '{"a": "1.50"}',
  ],
];
const extracted = DOCUMENTS.flatMap((text) =>
  ["$", "$.a", "$.a.b", "$.a.b.c", "$.b"].flatMap((path) => [
    `json_extract_scalar('${text}', '${path}')`,
    `json_extract_scalar(concat('${text}', ''), '${path}')`,
  ]),
);

const intervals = [
  ...["'10' YEAR", "'-5' YEAR", "'3' MONTH", "'-18' MONTH", "'30' MONTH", "'0' MONTH", "'2-3' YEAR TO MONTH"],
  ...["'178956970-7' YEAR TO MONTH", "'-178956970-8' YEAR TO MONTH", "'2' DAY", "'-2' DAY", "'25' HOUR", "'61' MINUTE"],
  ...["'-2' SECOND", "'32.123' SECOND", "'0.5' SECOND", "'1.1239' SECOND", "'1 11:11:11.116555' DAY TO SECOND"],
  ...["'-5 23:59:57.000' DAY TO SECOND", "'12 10:45' DAY TO MINUTE", "'12 10' DAY TO HOUR", "'10:45' HOUR TO MINUTE"],
  ...["'45:32.123' MINUTE TO SECOND", "'10:45:32' HOUR TO SECOND", "'999999999 23:59:59.999' DAY TO SECOND"],
  ...["'1 99:99:99' DAY TO SECOND", "'0' SECOND", "'1-13' YEAR TO MONTH"],
].flatMap((text) => [`INTERVAL ${text}`, `INTERVAL -${text}`, `typeof(INTERVAL ${text})`]);

const VALUES = [
  ...times,
  ...moments,
  ...clocksPutBack,
  ...texts,
  ...json,
  ...extracted,
  "typeof(json_extract_scalar('{}', '$.a'))",
  "typeof(json_extract_scalar(concat('{}', ''), '$.a'))",
  ...intervals,
  ...[
    "CAST(NULL AS interval year to month)",
    "CAST(NULL AS interval day to second)",
    "CAST(NULL AS time with time zone)",
  ],
  ...["CAST(NULL AS time(9))", "CAST(NULL AS timestamp(12))", "CAST(NULL AS timestamp(9) with time zone)"],
  ...[
    "CAST('10:11:12.5' AS time(9))",
    "CAST('2024-02-29 10:11:12.5' AS timestamp(9))",
    "CAST('10:11:12 +01:00' AS time with time zone)",
  ],
  ...["CAST('2024-02-29 10:11:12.5 UTC' AS timestamp(9) with time zone)", "CAST(NULL AS ipaddress)"],
  ...[
    "CAST(ROW(1, 2e0) AS ROW(x bigint, x double))",
    "CHAR ''",
    "ARRAY[CAST(ROW(1, 2) AS ROW(a integer, A integer)), NULL]",
  ],
  ...["'2001:db8::1'", "'10.0.0.1'", "'::1'", "'::'", "'2001:0DB8:0:0:1:0:0:1'", "'fe80:0:0:0:1:2:3:4'"].map(
    (text) => `IPADDRESS ${text}`,
  ),
  ...[
    "INTERVAL '1' DAY = INTERVAL '24' HOUR",
    "INTERVAL '1' YEAR = INTERVAL '12' MONTH",
    "INTERVAL '1' DAY <> INTERVAL '2' DAY",
  ],
  ...[
    "TIME '10:11:12.1234567' < TIME '10:11:12.1234568'",
    "TIMESTAMP '2024-02-29 10:11:12.1234567' >= TIMESTAMP '2024-02-29 10:11:12.1234568'",
  ],
  ...[
    "DATE '-2001-08-22'",
    "DATE '1-01-01'",
    "DATE '0000-02-29'",
    "DATE '-0004-02-29'",
    "DATE '10000-01-01'",
    "DATE '-4999999-01-01'",
  ],
  ...[
    "DATE '5000000-12-31'",
    "year(DATE '-2001-08-22')",
    "DATE '12024-02-29' - INTERVAL '1' DAY",
    "DATE '-0001-12-31' < DATE '0001-01-01'",
  ],
];

const ROWS =
  "(VALUES (1, INTERVAL '1' DAY, TIMESTAMP '2024-02-29 10:11:12.1234567', CHAR 'b'), (2, INTERVAL '24' HOUR, TIMESTAMP '2024-02-29 10:11:12.1234566', CHAR 'a'), (3, NULL, NULL, NULL)) t(n, i, ts, c)";

export const CARRIED: readonly string[] = [
  ...new Set(VALUES.map((value) => `SELECT ${value} AS x`)),
  `SELECT i, count(*) FROM ${ROWS} GROUP BY i`.replace("GROUP BY i", "GROUP BY i ORDER BY 2"),
  `SELECT n FROM ${ROWS} ORDER BY ts, n`,
  `SELECT n FROM ${ROWS} ORDER BY c DESC, n`,
  `SELECT min(ts), max(ts), min(c), max(c), count(DISTINCT c), count(DISTINCT i) FROM ${ROWS}`,
  `SELECT a.n, b.n FROM ${ROWS} JOIN ${ROWS.replace(" t(", " u(")} ON t.ts = u.ts ORDER BY 1`.replace(
    "a.n, b.n",
    "t.n, u.n",
  ),
  `SELECT DISTINCT c FROM ${ROWS} ORDER BY 1`,
  `SELECT n FROM ${ROWS} WHERE ts > TIMESTAMP '2024-02-29 10:11:12.1234566'`,
  `SELECT array_agg(ts ORDER BY n) FROM ${ROWS}`,
  `SELECT lag(ts) OVER (ORDER BY n), first_value(c) OVER (ORDER BY n) FROM ${ROWS} ORDER BY n`,
  `SELECT ts FROM ${ROWS} UNION SELECT ts FROM ${ROWS} ORDER BY 1`,
];
