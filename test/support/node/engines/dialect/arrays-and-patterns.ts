// Statements of arrays, regular expressions, zones and texts of moments, over values at which the engines may part.

const TEXTS = [
  "''",
  "'a'",
  "'A1 b22  c333'",
  "'a,b,,c,'",
  "',a'",
  "'aXbXc'",
  "'ada@example.com, bob@x.io'",
  "'2024-01-05'",
  "'  lead and trail  '",
  "'naïve café'",
  "'٣ three ３'",
  "'🤦🏼 x'",
  "'a\n'",
  "'a\nb'",
  "'a\r\nb'",
  "'t\tv\u000bf\fn\u00a0l\u2028e\u0085z'",
  "'under_score-dash.dot'",
  "'aaaa'",
  "'abab'",
  "'$1 \\ [x]'",
  "CAST(NULL AS varchar)",
];
const ROWS = `(VALUES ${TEXTS.map((text, i) => `(${i}, ${text})`).join(", ")}) t(n, s)`;

/** None of them matches an empty text. */
const PATTERNS = [
  "a",
  "[0-9]+",
  "\\d+",
  "\\D",
  "\\w+",
  "\\W+",
  "\\s",
  "\\S+",
  "\\s+[a-z]",
  "[^a]",
  "[^\\s,]+",
  ".",
  "a.b",
  "a.+?b",
  "(a|ab)(c|b)?",
  "([a-z]+)@([a-z]+)\\.(com|io)",
  "(\\d{4})-(\\d{2})-(\\d{2})",
  "\\d{2,3}",
  "(?:ab)+",
  "(ab){2}",
  "[a-cx-z_]{1,2}",
  "[\\w.-]+",
  "é|ï",
  "[éï]",
  "\\$\\d",
  "\\\\ \\[",
  "\\.",
  "🤦",
  "X|,",
  ",",
  "a+?",
];
const ENDS = [
  "^a",
  "a$",
  "^a$",
  "^.$",
  "^\\s",
  "\\s$",
  "^$",
  "^[a-z ]*$",
  "b$",
  "^(a|b)*$",
  "a*",
  "x?",
  "a|",
  "^\\w+$",
];

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

const overTexts = (expression: string): string => `SELECT n, ${expression} AS v FROM ${ROWS} ORDER BY n`;

const REGEXPS = [
  ...[...PATTERNS, ...ENDS].map((pattern) => overTexts(`regexp_like(s, ${quoted(pattern)})`)),
  ...[...PATTERNS, "^a", "^a+b", "a*", "x?"].map((pattern) => overTexts(`regexp_extract(s, ${quoted(pattern)})`)),
  ...PATTERNS.flatMap((pattern) => [
    overTexts(`regexp_extract_all(s, ${quoted(pattern)})`),
    overTexts(`regexp_count(s, ${quoted(pattern)})`),
    overTexts(`regexp_split(s, ${quoted(pattern)})`),
    overTexts(`regexp_replace(s, ${quoted(pattern)})`),
    overTexts(`regexp_replace(s, ${quoted(pattern)}, '<$0>')`),
  ]),
  overTexts("regexp_extract(s, '([a-z]+)@([a-z]+)', 2)"),
  overTexts("regexp_extract_all(s, '([a-z]+)@([a-z]+)', 1)"),
  overTexts("regexp_replace(s, '([a-z]+)@([a-z]+)', '$2 at $1')"),
  overTexts("regexp_replace(s, '(\\d{4})-(\\d{2})-(\\d{2})', '$3.$2.$1')"),
  overTexts("regexp_replace(s, '^a', 'b')"),
  "SELECT regexp_extract('abc', 'x') AS a, regexp_replace('abc', 'b', 'xyz') AS b, regexp_split('a-b', '-') AS c",
];

const ARRAYS = [
  "SELECT * FROM UNNEST(ARRAY[3, 1, 2]) AS t(x) ORDER BY x",
  "SELECT * FROM UNNEST(ARRAY[1, 2, 3], ARRAY['a', 'b']) WITH ORDINALITY AS t(x, y, n) ORDER BY n",
  "SELECT id, x FROM (VALUES (1, ARRAY[10, 20]), (2, NULL), (3, ARRAY[NULL])) t(id, a) CROSS JOIN UNNEST(a) AS u(x) ORDER BY id, x",
  "SELECT id, x, n FROM (VALUES (1, ARRAY[10, 20]), (2, NULL)) t(id, a) CROSS JOIN UNNEST(t.a) WITH ORDINALITY AS u(x, n) ORDER BY id, n",
  "SELECT id, x, n FROM (VALUES (1, ARRAY[10, 20]), (2, NULL)) t(id, a) LEFT JOIN UNNEST(a) WITH ORDINALITY AS u(x, n) ON TRUE ORDER BY id, n",
  "SELECT id, x, y FROM (VALUES (1, ARRAY[10, 20], ARRAY['p']), (2, NULL, ARRAY['q', 'r'])) t(id, a, b), UNNEST(a, b) AS u(x, y) ORDER BY id, x, y",
  "SELECT id, x, y, n FROM (VALUES (1, ARRAY[10, 20], ARRAY['p']), (2, NULL, ARRAY['q', 'r'])) t(id, a, b), UNNEST(b, a) WITH ORDINALITY AS u(y, x, n) ORDER BY id, n",
  "SELECT id, x, y FROM (VALUES (1, ARRAY[1, 2])) t(id, a) CROSS JOIN UNNEST(a) AS u(x) CROSS JOIN UNNEST(a) AS v(y) ORDER BY x, y",
  "SELECT id, y FROM (VALUES (1, ARRAY[ARRAY[1, 2], ARRAY[3], NULL])) t(id, a) CROSS JOIN UNNEST(a) AS u(x) CROSS JOIN UNNEST(x) AS v(y) ORDER BY y",
  "SELECT x, count(*) AS c FROM (VALUES (ARRAY['a', 'b']), (ARRAY['b'])) t(a) CROSS JOIN UNNEST(a) AS u(x) GROUP BY x ORDER BY x",
  "SELECT (SELECT sum(x) FROM UNNEST(a) AS u(x)) AS s FROM (VALUES (ARRAY[1, 2]), (ARRAY[7])) t(a) ORDER BY s",
  "SELECT ARRAY[1, 2.5, NULL] AS a, ARRAY['x', 'yy'] AS b, ARRAY[DATE '2024-01-05'] AS c",
  "SELECT w FROM (VALUES 'a b', 'c') t(s) CROSS JOIN UNNEST(regexp_split(s, ' ')) AS u(w) ORDER BY w",
  "WITH t AS (SELECT ARRAY[1, 2] AS a) SELECT x + 1 AS y FROM t, UNNEST(a) AS u(x) WHERE x > 1",
  "SELECT max(x) AS m FROM (SELECT array_agg(v ORDER BY v) AS a FROM (VALUES 1, 2, 3) t(v)) q CROSS JOIN UNNEST(q.a) u(x)",
];

const MOMENTS = [
  "SELECT date_parse('2024-01-05', '%Y-%m-%d') AS a, date_parse('2024-02-29 23:59:58', '%Y-%m-%d %H:%i:%s') AS b",
  "SELECT date_parse(s, '%Y%m%d') AS v FROM (VALUES '20240105', '19691231', NULL) t(s) ORDER BY 1",
  "SELECT date_parse(s, '%d/%m/%Y %T') AS v FROM (VALUES '05/01/2024 00:00:00', '31/12/1999 23:59:59') t(s) ORDER BY 1",
  "SELECT date_parse(s, '%Y-%m-%dT%H:%i:%S') AS v FROM (VALUES '0001-01-01T00:00:00', '9999-12-31T23:59:59') t(s) ORDER BY 1",
  "SELECT date_parse('2024-02-30', '%Y-%m-%d') AS v",
  "SELECT date_parse('2024-01-05 24:00:00', '%Y-%m-%d %H:%i:%s') AS v",
  "SELECT date_parse('2024-01-05 10:20', '%Y-%m-%d %H:%i') AS v",
  ...[
    "2024-01-02T03:04:05.678912",
    "2024-01-02T03:04:05Z",
    "2024-01-02T03:04:05.6789+00:00",
    "2024-01-02T03:04",
    "2024-02-29",
    "2023-02-29",
    "2024-01-02T23:59:59.999999999Z",
    "2024-01-02T24:00:00Z",
    "2024-01-02T03:04:60Z",
    "1969-12-31T23:59:59.1Z",
    "0001-01-01T00:00:00Z",
  ].map((text) => `SELECT from_iso8601_timestamp('${text}') AS v`),
  "SELECT from_iso8601_timestamp(s) AS v FROM (VALUES '2024-01-02T03:04:05Z', '2024-01-02T03:04:05.5Z', NULL) t(s) ORDER BY 1",
  "SELECT from_iso8601_date('2024-02-29') AS v",
  "SELECT current_timezone() AS v",
];

/** Around the hours at which clocks are put forward and back, in both halves of the world. */
const INSTANTS = [
  ...["2024-03-31T00:59:59.999Z", "2024-03-31T01:00:00Z", "2024-10-27T00:30:00Z", "2024-10-27T01:30:00Z"],
  ...["2024-03-10T06:59:59Z", "2024-03-10T07:00:00Z", "2024-11-03T05:30:00Z", "2024-11-03T06:30:00Z"],
  ...["1970-01-02T00:00:00Z", "1975-06-15T12:34:56.789Z", "1987-02-28T23:59:59Z", "1999-12-31T23:59:59.999Z"],
  ...["2010-10-31T00:00:00Z", "2018-11-04T03:00:00Z", "2022-07-01T12:00:00Z", "2037-06-30T23:00:00Z"],
];
const ZONES =
  "Europe/Berlin America/New_York America/Sao_Paulo Asia/Kolkata Asia/Tokyo Australia/Lord_Howe Pacific/Apia " +
  "Africa/Cairo Europe/London Asia/Jerusalem America/Caracas Europe/Moscow Africa/Monrovia Pacific/Auckland UTC";
const AT_ZONES = ZONES.split(" ").map((zone) => {
  const rows = INSTANTS.map((text) => `'${text}'`).join(", ");
  const moment = `from_iso8601_timestamp(s) AT TIME ZONE '${zone}'`;
  const parts = ["year", "month", "day", "hour", "minute", "second", "day_of_week", "week"].map(
    (part) => `${part}(z) AS ${part}`,
  );
  return (
    `SELECT z, CAST(z AS date) AS d, CAST(z AS timestamp(0)) AS t, date_format(z, '%Y-%m-%d %H:%i:%s') AS f, ${parts.join(", ")} ` +
    `FROM (SELECT ${moment} AS z FROM (VALUES ${rows}) t(s)) q ORDER BY z`
  );
});
const OF_ZONES = [
  ...AT_ZONES,
  "SELECT TIMESTAMP '2024-07-01 12:00:00.123456' AT TIME ZONE 'America/New_York' AS v",
  "SELECT TIMESTAMP '2024-07-01 12:00:00 UTC' AT TIME ZONE 'Europe/Berlin' AT TIME ZONE 'UTC' AS v",
  "SELECT TIMESTAMP '2024-07-01 12:00:00 UTC' AT TIME ZONE 'Europe/Berlin' = TIMESTAMP '2024-07-01 12:00:00 UTC' AS v",
  "SELECT max(z) AS v, count(DISTINCT z) AS n FROM (SELECT from_iso8601_timestamp(s) AT TIME ZONE 'Asia/Tokyo' AS z FROM (VALUES '2024-01-02T03:04:05Z', '2024-01-02T03:04:05.000Z') t(s)) q",
  "SELECT date_trunc('day', CAST(TIMESTAMP '2024-07-01 23:00:00 UTC' AT TIME ZONE 'Europe/Berlin' AS timestamp)) AS v",
  "SELECT CAST(TIMESTAMP '2024-07-01 23:00:00.5555 UTC' AS timestamp(3)) AS v, CAST(TIMESTAMP '2024-07-01 23:00:00 UTC' AS date) AS d",
  "SELECT CAST(TIMESTAMP '2024-07-01 23:00:00.123456 UTC' AT TIME ZONE 'Asia/Kolkata' AS timestamp(3) with time zone) AS v",
  "SELECT EXTRACT(hour FROM TIMESTAMP '2024-07-01 23:00:00 UTC' AT TIME ZONE 'Asia/Kolkata') AS v",
  "SELECT ARRAY[TIMESTAMP '2024-07-01 23:00:00 UTC' AT TIME ZONE 'Asia/Kolkata'] AS v",
];

export const ARRAYS_AND_PATTERNS: readonly string[] = [...ARRAYS, ...MOMENTS, ...OF_ZONES, ...REGEXPS];
/** Statements about zones alone. */
export const ZONED: readonly string[] = OF_ZONES;
