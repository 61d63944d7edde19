// Statements of maps, of rows and of elements of arrays by number, over values at which the engines may part.

const KEYS: readonly [keys: string, one: string, none: string][] = [
  ["ARRAY['a', 'b', '']", "'b'", "'zz'"],
  ["ARRAY[1, 2, -3]", "2", "7"],
  ["ARRAY[BIGINT '9000000000000000000', BIGINT '0', BIGINT '1']", "0", "5"],
  ["ARRAY[true, false]", "false", "NULL"],
  ["ARRAY[1.5, 2.25, 0.00]", "2.25", "9.99"],
  ["ARRAY[DATE '2024-02-29', DATE '0001-01-01']", "DATE '2024-02-29'", "DATE '1970-01-01'"],
  ["ARRAY[UUID '12151fd2-7586-11e9-8f9e-2a86e4085a59']", "UUID '12151fd2-7586-11e9-8f9e-2a86e4085a59'", "NULL"],
  [
    "ARRAY[TIMESTAMP '2024-02-29 10:00:00.5', TIMESTAMP '1969-12-31 23:59:59.9']",
    "TIMESTAMP '2024-02-29 10:00:00.5'",
    "NULL",
  ],
];
const VALUES: Record<number, readonly string[]> = {
  1: ["ARRAY['x']", "ARRAY[ARRAY[1, NULL]]"],
  2: ["ARRAY[1e0, nan()]", "ARRAY[NULL, DATE '2024-01-05']", "ARRAY[ROW(1, 'a'), NULL]"],
  3: [
    ...["ARRAY[1, NULL, 3]", "ARRAY['x', NULL, 'é\"']", "ARRAY[TIMESTAMP '2024-01-05 10:00:00', NULL, NULL]"],
    ...["ARRAY[ARRAY['p'], NULL, ARRAY['q', NULL]]", "ARRAY[1.5, -2.25, 0]", "ARRAY[true, false, NULL]"],
    "ARRAY[MAP(ARRAY['k'], ARRAY[1]), NULL, MAP(ARRAY['l'], ARRAY[NULL])]",
  ],
};
const COUNTS: readonly number[] = [3, 3, 3, 2, 3, 2, 1, 2];

const OF_EACH = KEYS.flatMap(([keys, one, none], i) =>
  VALUES[COUNTS[i]!]!.flatMap((values) => {
    const map = `MAP(${keys}, ${values})`;
    return [
      `SELECT ${map} AS m, cardinality(${map}) AS n, map_keys(${map}) AS k, map_values(${map}) AS v`,
      `SELECT element_at(${map}, ${one}) AS a, element_at(${map}, ${none}) AS b, ${map}[${one}] AS c`,
      `SELECT ${map}[${none}] AS missing`,
      `SELECT k, v FROM UNNEST(${map}) AS u(k, v) ORDER BY k`,
    ];
  }),
);

const OTHERS = [
  "SELECT MAP() AS m, cardinality(MAP()) AS n, CAST(NULL AS MAP(VARCHAR, BIGINT)) AS none",
  "SELECT MAP(ARRAY['a', 'a'], ARRAY[1, 2])",
  "SELECT MAP(ARRAY['a', NULL], ARRAY[1, 2])",
  "SELECT MAP(ARRAY['a'], ARRAY[1, 2])",
  "SELECT id, MAP(a, b) AS m FROM (VALUES (1, ARRAY['a'], ARRAY[1]), (2, NULL, ARRAY[1]), (3, ARRAY['b'], NULL)) t(id, a, b) ORDER BY id",
  "SELECT id, m, m['a'] AS a FROM (VALUES (1, MAP(ARRAY['a'], ARRAY[1])), (2, MAP(ARRAY['a'], ARRAY[NULL])), (3, NULL)) t(id, m) ORDER BY id",
  "SELECT id, element_at(m, 'b') AS b FROM (VALUES (1, MAP(ARRAY['a'], ARRAY[1])), (2, MAP(ARRAY['bb', 'b'], ARRAY[7, 8])), (3, NULL)) t(id, m) ORDER BY id",
  "SELECT status, cardinality(map_agg(id, total)) AS n FROM orders GROUP BY status ORDER BY status",
  "SELECT map_agg(id, name) AS m FROM products WHERE id < 6",
  "SELECT map_agg(id, name) AS m FROM products WHERE id < 0",
  "SELECT map_agg(x, 1) AS m FROM (VALUES CAST(NULL AS varchar), NULL) t(x)",
  "SELECT map_agg(x, y) AS m FROM (VALUES ('a', 1), (NULL, 2), ('b', NULL)) t(x, y)",
  "SELECT map_agg(x, y) FILTER (WHERE y > 1) AS m FROM (VALUES ('a', 1), ('c', 2), ('b', NULL)) t(x, y)",
  "SELECT element_at(map_agg(name, price), 'Lamp 2') AS price FROM products",
  "SELECT map_from_entries(ARRAY[ROW('a', 1), ROW('b', NULL)]) AS m",
  "SELECT map_from_entries(ARRAY[('a', 1), ('a', 2)]) AS m",
  "SELECT map_from_entries(ARRAY[ROW('a', 1), NULL]) AS m",
  "SELECT map_entries(MAP(ARRAY['a', 'b'], ARRAY[1, NULL])) AS e",
  "SELECT map_from_entries(map_entries(MAP(ARRAY[1, 2], ARRAY['x', 'y']))) AS m",
  "SELECT map_concat(MAP(ARRAY[1, 2], ARRAY['x', 'y']), MAP(ARRAY[2, 3], ARRAY['z', 'w'])) AS m",
  "SELECT map_concat(MAP(ARRAY[1], ARRAY[10]), CAST(NULL AS MAP(INTEGER, INTEGER))) AS m",
  "SELECT MAP(ARRAY['a'], ARRAY[1]) = MAP(ARRAY['a'], ARRAY[1]) AS same",
  "SELECT DISTINCT m FROM (VALUES MAP(ARRAY['a'], ARRAY[1])) t(m)",
  "SELECT m, count(*) FROM (VALUES MAP(ARRAY['a'], ARRAY[1])) t(m) GROUP BY m",
  "SELECT count(DISTINCT m) FROM (VALUES MAP(ARRAY['a'], ARRAY[1])) t(m)",
  "SELECT MAP(ARRAY[1e0], ARRAY[1]) AS m",
  "SELECT MAP(ARRAY['a', 'b'], ARRAY[1, 2])['a'] + 1 AS n",
  "SELECT CASE WHEN id = 1 THEN MAP(ARRAY['a'], ARRAY[1]) ELSE MAP(ARRAY['bcd'], ARRAY[2]) END AS m FROM (VALUES 1, 2) t(id) ORDER BY id",
  "SELECT CAST(MAP(ARRAY['a'], ARRAY[ARRAY[1, NULL]]) AS MAP(VARCHAR, ARRAY(BIGINT))) AS m, CAST(MAP(ARRAY[1], ARRAY[2.5]) AS MAP(BIGINT, DOUBLE)) AS n",
  "SELECT m FROM (VALUES (1, MAP(ARRAY[1], ARRAY[2])), (2, MAP(ARRAY[BIGINT '7'], ARRAY[1.5])), (3, NULL), (4, MAP())) t(id, m) ORDER BY id",
  "SELECT k, sum(v) AS s FROM (VALUES MAP(ARRAY['a', 'b'], ARRAY[1, 2]), MAP(ARRAY['b', 'c'], ARRAY[3, 4])) t(m) CROSS JOIN UNNEST(m) AS u(k, v) GROUP BY k ORDER BY k",
  "SELECT id, k, v, n FROM (VALUES (1, MAP(ARRAY['a', 'b'], ARRAY[1, 2])), (2, NULL)) t(id, m) LEFT JOIN UNNEST(m) WITH ORDINALITY AS u(k, v, n) ON TRUE ORDER BY id, n",
];

const ELEMENTS = [
  ...["ARRAY[10, 20, NULL]", "ARRAY['a', 'b']", "ARRAY[ARRAY[1], ARRAY[2, 3]]", "CAST(NULL AS ARRAY(integer))"].flatMap(
    (array) => [
      ...["0", "1", "2", "3", "4", "-1", "-3", "-4", "NULL"].flatMap((i) => [
        `SELECT ${array}[${i}] AS x`,
        `SELECT element_at(${array}, ${i}) AS x`,
      ]),
      `SELECT cardinality(${array}) AS n`,
    ],
  ),
  "SELECT a[i] AS x FROM (VALUES (ARRAY[1, 2], 2), (ARRAY[5], 1), (NULL, 1), (ARRAY[7], NULL)) t(a, i) ORDER BY x",
  "SELECT ARRAY[ARRAY[1], ARRAY[2, 3]][2][1] AS x",
  "SELECT regexp_split('a-b-c', '-')[2] AS x, element_at(regexp_split('a-b', '-'), 3) AS y",
  "SELECT ARRAY[] AS a, cardinality(ARRAY[]) AS n",
  "SELECT x FROM (VALUES ARRAY['a'], ARRAY['bcd', NULL]) t(x) ORDER BY cardinality(x)",
  "SELECT x FROM (VALUES ARRAY[1], ARRAY[2.5, NULL]) t(x) ORDER BY cardinality(x)",
];

const SEQUENCES = [
  ...[
    "1, 5",
    "5, 1",
    "1, 10, 3",
    "10, 1, -4",
    "1, 1",
    "0, 9, 0",
    "1, 5, -1",
    "1, 10000",
    "1, 10001",
    "1, NULL",
    "NULL, 1, 1",
  ],
  ...[
    "BIGINT '-9223372036854775808', 9223372036854775807",
    "-9223372036854775808, -9223372036854775800",
    "1, 20000, 2",
  ],
  ...[
    "DATE '2024-02-27', DATE '2024-03-02'",
    "DATE '2024-03-02', DATE '2024-02-27'",
    "DATE '1969-12-30', DATE '1970-01-02'",
  ],
  ...["1, 3, 100", "3, 1, -100"],
].map((values) => `SELECT sequence(${values}) AS s`);

const NUMBERS = [
  "SELECT -9223372036854775808 AS a, -2147483648 AS b, -2147483649 AS c, - 5 AS d, -1.50 AS e, -0.05 AS f, -1e0 AS g, -0 AS h",
  "SELECT -(9223372036854775807) AS a, 3 - 5 AS b, 3 -5 AS c, -5 + 2 AS d, - -5 AS e, round(-2.5) AS f, abs(-2147483648 + 1) AS g",
  "SELECT x FROM (VALUES -1, -2147483649) t(x) WHERE x IN (-1, -2) OR x < -5 ORDER BY x",
  "SELECT substr('abcdef', -2) AS a, date_add('day', -1, DATE '2024-03-01') AS b, -1 % 3 AS c, -7 / 2 AS d",
];

const ROWS = [
  "SELECT ROW(1, 'a', NULL) AS r, ROW(1e0, ARRAY[1], DATE '2024-01-05') AS s",
  "SELECT CAST(ROW(1, 2e0, NULL) AS ROW(x BIGINT, y DOUBLE, z DOUBLE)) AS r",
  "SELECT CAST(ROW(1, 'a') AS ROW(x varchar, y varchar)) AS r, CAST(NULL AS ROW(x BIGINT)) AS s",
  "SELECT x, y FROM UNNEST(ARRAY[ROW(1, 'a'), ROW(2, NULL)]) AS t(x, y) ORDER BY x",
  "SELECT ARRAY[ROW(1, 2), ROW(1, NULL), NULL] AS r",
];

/** Values of types that the tables have not. */
const VALUES_OF_TYPES = [
  "SELECT X'65683F' AS a, X'' AS b, x'65 68' AS c, CAST('' AS VARBINARY) AS d, CAST('é' AS VARBINARY) AS e, to_hex(to_utf8('aé')) AS f",
  "SELECT from_utf8(from_hex('C3A9')) AS a, from_utf8(X'6162') AS b, from_hex('ff00') AS c",
  "SELECT TIME '10:11:12' AS a, TIME '10:11' AS b, TIME '23:59:59.999999' AS c, TIME '00:00:00.1' AS d",
  "SELECT CAST(TIMESTAMP '2024-01-05 23:59:59.9996' AS time) AS a, CAST(TIMESTAMP '2024-01-05 10:00:00.123456' AS time(6)) AS b",
  "SELECT TIME '10:11:12' < TIME '10:11:12.5' AS a, TIME '10:11:12' = TIME '10:11:12.000' AS b",
  ...["NaN", "Infinity", "-Infinity", "+Infinity"].map(
    (text) => `SELECT CAST('${text}' AS DOUBLE) AS d, CAST('${text}' AS REAL) AS r`,
  ),
  ...[
    "3.4028235E38",
    "3.4028236E38",
    "1.4E-45",
    "3E-45",
    "1E-40",
    "7E-45",
    "1E-50",
    "-1.4E-45",
    "1E39",
    "0.1E0",
    "5E-20",
  ].map((text) => `SELECT CAST(${text} AS REAL) AS r`),
  "SELECT CAST(1.7976931348623157E308 AS DOUBLE) AS a, CAST(4.9E-324 AS DOUBLE) AS b",
  ...[
    "2024-02-29 10:00:00 +05:30",
    "2024-02-29 10:00 Z",
    "2024-02-29 10:00Z",
    "2024-02-29 10:00:00.123-08:00",
    "2024-02-29 10:00:00 GMT",
    "2024-02-29 10:00:00 Europe/Berlin",
    "2024-02-29 +02:00",
    "2024-02-29 UTC",
    "1969-12-31 23:59:59.999999 +14:00",
  ].flatMap((text) => [
    `SELECT TIMESTAMP '${text}' AS a`,
    `SELECT CAST('${text}' AS timestamp(3) with time zone) AS a`,
  ]),
  "SELECT CAST('2024-02-29 10:11:12.3456' AS timestamp) AS a, CAST('2024-02-29 10:11:12.9996' AS timestamp(3)) AS b",
  "SELECT TIMESTAMP '2024-07-01 12:00:00 UTC' AT TIME ZONE 'GMT' AS a, TIMESTAMP '2024-07-01 12:00:00 UTC' AT TIME ZONE 'Z' AS b",
  ...[
    "0",
    "1.5e0",
    "-1.0005e0",
    "1.0005e0",
    "0.0005e0",
    "-0.0005e0",
    "nan()",
    "1e300",
    "2251799813685.2e0",
    "-2251799813685.3e0",
  ].map((seconds) => `SELECT from_unixtime(${seconds}) AS a`),
  "SELECT from_unixtime(NULL) AS a, from_unixtime(12.345) AS b, from_unixtime(86400, '+05:30') AS c",
  "SELECT to_unixtime(TIMESTAMP '2024-02-29 10:00:00.123456 UTC') AS a, to_unixtime(TIMESTAMP '1969-12-31 23:59:59.999 UTC') AS b",
  ...[
    "12345678901234567890.5",
    "0.1234567890123456789012345678901234567",
    "99999999999999999999999999999999999999",
    "-9007199254740993.0000000001",
  ].map((text) => `SELECT CAST(DECIMAL '${text}' AS double) AS d`),
];

export const MAPS: readonly string[] = [
  ...OF_EACH,
  ...OTHERS,
  ...ELEMENTS,
  ...SEQUENCES,
  ...NUMBERS,
  ...ROWS,
  ...VALUES_OF_TYPES,
];
