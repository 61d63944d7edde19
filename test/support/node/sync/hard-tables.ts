// Tables with what real schemas have and copies get wrong, in PostgreSQL and MariaDB, with statements that change them.

export type HardTable = {
  /** `schema.name`, as a sync names it; the schema is put in the place of `$`. */
  path: string;
  /** The name in the lake and, quoted, at the source. */
  lake: string;
  source: string;
  /** Makes and fills it. */
  create: string;
  /** Change it at random; they may fail, as statements of a crowd do. Without any it is never written. */
  changes: string[];
  /** By column: its value as text at the source and in the lake, where those are written alike. */
  texts: Array<[source: string, lake: string]>;
};

const same = (name: string): [string, string] => [`CAST("${name}" AS text)`, `"${name}"::varchar`];
const sameInMysql = (name: string): [string, string] => [
  `CONVERT(CAST(\`${name}\` AS CHAR) USING utf8mb4)`,
  `"${name}"::varchar`,
];
const instant = (name: string): [string, string] => [
  `(extract(epoch FROM ${name}) * 1000000)::bigint::text`,
  `epoch_us("${name}")::varchar`,
];
const bytes = (name: string): [string, string] => [`encode(${name}, 'hex')`, `lower(hex(${name}))`];
const list = (name: string): [string, string] => [`to_json(${name})::text`, `to_json(${name})::varchar`];

const ROWS = 1_500;

export const POSTGRES_TABLES: HardTable[] = [
  {
    path: "$.kinds",
    lake: "kinds",
    source: "kinds",
    create: `
      CREATE TYPE mood AS ENUM ('sad', 'ok', 'very "happy", {x}');
      CREATE TYPE pair AS (x int, "Y y" text);
      CREATE DOMAIN positive AS int CHECK (VALUE > 0);
      CREATE TABLE kinds (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, n numeric(38,10), big numeric, price money, iv interval, raw bytea, j json, jb jsonb, x xml, tags text[], grid int[][],
        feeling mood, feelings mood[], pos positive, couple pair, r int4range, days daterange, v tsvector, p point, area polygon, bits bit(5), ip inet, u uuid, d date, t time, tz timetz, ts timestamp, at timestamptz,
        f float8, flag boolean, code char(5), dropped int, twice bigint GENERATED ALWAYS AS (pos * 2) STORED);
      ALTER TABLE kinds DROP COLUMN dropped;
      INSERT INTO kinds (n, big, price, iv, raw, j, jb, x, tags, grid, feeling, feelings, pos, couple, r, days, v, p, area, bits, ip, u, d, t, tz, ts, at, f, flag, code)
        SELECT i / 7.0, i::numeric ^ 9 / 7, (i * 1.11)::numeric::money, i * interval '1 month 2 days 03:04:05.678', decode(md5(i::text), 'hex'), '{"a" : 1, "a": [null]}', jsonb_build_object('i', i, 'ü', '🎈'), '<a b="1"/>',
          ARRAY['a' || i, NULL, '', '{"x"}', 'NULL'], ARRAY[[i, 2], [3, NULL]], 'ok', ARRAY['sad', 'very "happy", {x}']::mood[], i, row(i, 'a "b", (c)')::pair, int4range(i, i + 5), daterange('2020-01-01', NULL), to_tsvector('simple', 'words ' || i),
          point(i, -i), '((0,0),(1,1),(1,0))', i::bit(5), '10.0.0.1'::inet + i, md5(i::text)::uuid, '2000-02-29'::date + i, '10:00'::time + i * interval '1 ms', '10:00+02', '2000-01-01'::timestamp + i * interval '1.000001 s',
          '1969-12-31'::timestamptz + i * interval '1 hour 0.123456 s', i / 4.0, i % 2 = 0, 'c' || i % 100 FROM generate_series(1, ${ROWS}) AS i;
      INSERT INTO kinds (pos) VALUES (NULL)`,
    changes: [
      "UPDATE kinds SET n = n + 1, tags = tags || 'more'::text, feeling = 'sad' WHERE id % 97 = floor(random() * 97)",
      "UPDATE kinds SET jb = jb || '{\"new\": 1e3}', raw = raw || '\\x00', pos = pos + 1, at = clock_timestamp(), couple = NULL WHERE id % 89 = floor(random() * 89)",
      "UPDATE kinds SET id = DEFAULT WHERE id = (SELECT max(id) FROM kinds)",
      "DELETE FROM kinds WHERE id % 211 = floor(random() * 211)",
      "INSERT INTO kinds (n, pos, tags, r, f) SELECT random(), i, '{}', 'empty', i FROM generate_series(1, 20) AS i",
    ],
    texts: [
      ...[
        "id",
        "n",
        "big",
        "iv",
        "j",
        "jb",
        "x",
        "feeling",
        "pos",
        "couple",
        "r",
        "days",
        "v",
        "p",
        "area",
        "bits",
        "ip",
        "u",
        "d",
        "t",
        "tz",
        "ts",
        "twice",
        "flag",
      ].map(same),
      ["price::numeric::text", "price"],
      bytes("raw"),
      list("tags"),
      ["to_json(grid)::text", "grid::varchar"],
      list("feelings"),
      instant("at"),
      ["round(f * 4)::bigint::text", "round(f * 4)::bigint::varchar"],
      ["format('%s', code::text)", "coalesce(code, '')"],
    ],
  },
  {
    path: '$.Order "Lines" Näme',
    lake: 'Order "Lines" Näme',
    source: '"Order ""Lines"" Näme"',
    create: `CREATE TABLE "Order ""Lines"" Näme" ("Select" int, "from" text, "a.b" text, "semi;colon" text, "Größe 中文 🎈" numeric(6,2), "select" int, PRIMARY KEY ("from", "Select"));
      INSERT INTO "Order ""Lines"" Näme" SELECT i, 'f''' || i % 50, 'dot', ';', i / 3.0, -i FROM generate_series(1, ${ROWS}) AS i`,
    changes: [
      'UPDATE "Order ""Lines"" Näme" SET "Größe 中文 🎈" = "Größe 中文 🎈" + 1 WHERE "Select" % 50 = floor(random() * 50)',
      'UPDATE "Order ""Lines"" Näme" SET "from" = "from" || \'\\\', "Select" = "Select" + 1 WHERE "Select" % 301 = floor(random() * 301)',
      'DELETE FROM "Order ""Lines"" Näme" WHERE "Select" % 101 = floor(random() * 101)',
      'INSERT INTO "Order ""Lines"" Näme" SELECT 10000 + floor(random() * 100000), \'n\' FROM generate_series(1, 10) ON CONFLICT DO NOTHING',
    ],
    texts: [
      ...["Select", "from", "a.b", "semi;colon", "Größe 中文 🎈"].map(same),
      ['"select"::text', "select_2::varchar"],
    ],
  },
  {
    path: "$.user",
    lake: "user",
    source: '"user"',
    create: `CREATE TABLE "user" (name text, at timestamptz, feeling mood, n numeric(10,4), "order" int, PRIMARY KEY (name, at, feeling, n)); INSERT INTO "user" SELECT 'u' || i % 7, '2020-01-01'::timestamptz + i * interval '0.000001 s', 'ok', i / 3.0, i FROM generate_series(1, ${ROWS}) AS i`,
    changes: [
      'UPDATE "user" SET feeling = \'sad\', n = n + 0.0001 WHERE "order" % 61 = floor(random() * 61)',
      'DELETE FROM "user" WHERE "order" % 151 = floor(random() * 151)',
      "INSERT INTO \"user\" SELECT 'new', clock_timestamp(), 'sad', i, i FROM generate_series(1, 5) AS i",
    ],
    texts: [...["name", "feeling", "n", "order"].map(same), instant("at")],
  },
  {
    path: "$.parted",
    lake: "parted",
    source: "parted",
    create: `CREATE TABLE parted (id int, at date, v text, PRIMARY KEY (id, at)) PARTITION BY RANGE (at);
      CREATE TABLE parted_old PARTITION OF parted FOR VALUES FROM (MINVALUE) TO ('2024-01-01') PARTITION BY HASH (id); CREATE TABLE parted_old_0 PARTITION OF parted_old FOR VALUES WITH (MODULUS 1, REMAINDER 0); CREATE TABLE parted_new PARTITION OF parted DEFAULT;
      INSERT INTO parted SELECT i, '2022-01-01'::date + i, 'v' FROM generate_series(1, ${ROWS}) AS i`,
    changes: [
      "UPDATE parted SET at = at + (random() * 2000 - 1000)::int WHERE id % 31 = floor(random() * 31)",
      "DELETE FROM parted WHERE id % 97 = floor(random() * 97)",
      "UPDATE parted SET v = v || '+' WHERE id % 71 = floor(random() * 71)",
    ],
    texts: ["id", "at", "v"].map(same),
  },
  {
    path: "$.heap",
    lake: "heap",
    source: "heap",
    create: `CREATE TABLE heap (a int, b text); INSERT INTO heap SELECT i % 50, 'same' FROM generate_series(1, ${ROWS}) AS i`,
    changes: [
      "DELETE FROM heap WHERE ctid = (SELECT min(ctid) FROM heap)",
      "INSERT INTO heap VALUES (1, 'same'), (NULL, NULL)",
      "UPDATE heap SET b = 'changed' WHERE a = floor(random() * 50)",
    ],
    texts: ["a", "b"].map(same),
  },
  {
    path: "$.seen",
    lake: "seen",
    source: "seen",
    create: "CREATE VIEW seen AS SELECT id, n, row_number() OVER (ORDER BY id) AS place FROM kinds WHERE flag",
    changes: [],
    texts: ["id", "n", "place"].map(same),
  },
  {
    path: "$.counted",
    lake: "counted",
    source: "counted",
    create:
      "CREATE MATERIALIZED VIEW counted AS SELECT a, count(*) AS n FROM heap GROUP BY a; CREATE UNIQUE INDEX ON counted (a)",
    changes: ["REFRESH MATERIALIZED VIEW CONCURRENTLY counted"],
    texts: ["a", "n"].map(same),
  },
];

export const MARIADB_TABLES: HardTable[] = [
  {
    path: "$.kinds",
    lake: "kinds",
    source: "kinds",
    create: `
      CREATE TABLE kinds (id bigint unsigned AUTO_INCREMENT PRIMARY KEY, tiny tinyint unsigned, big bigint unsigned, flag tinyint(1), n decimal(20,4), wide decimal(65,30), f double, bits bit(9), yr year, day date, moment timestamp(6) NULL, happened datetime(6), clock time(6),
        feeling enum('sad', 'ok', 'it''s "so"'), some set('x', 'y', 'z'), doc json, place point, raw varbinary(50), fixed binary(4), old varchar(50) CHARACTER SET latin1, broad varchar(50) CHARACTER SET utf16, words mediumtext,
        twice int AS (tiny * 2) VIRTUAL, kept varchar(60) AS (CONCAT('k', tiny)) PERSISTENT);
      INSERT INTO kinds (tiny, big, flag, n, wide, f, bits, yr, day, moment, happened, clock, feeling, some, doc, place, raw, fixed, old, broad, words)
        SELECT seq % 256, 18446744073709551615 - seq, seq % 3, seq / 7, seq / 7, seq / 4, seq % 512, 1901 + seq % 200, '2000-02-29' + INTERVAL seq DAY, '2000-01-01' + INTERVAL seq * 1000001 MICROSECOND, '1000-01-01' + INTERVAL seq MICROSECOND, SEC_TO_TIME(seq * 1000 + 0.5),
          ELT(1 + seq % 3, 'sad', 'ok', 'it''s "so"'), ELT(1 + seq % 3, 'x', 'x,z', ''), CONCAT('{"a" : ', seq, '}'), POINT(seq, -seq), UNHEX(MD5(seq)), 'ab', 'ÄÖü ñ', '中 🎈', CONCAT('\\\\ ''"\\t', seq, ' ') FROM seq_1_to_${ROWS};
      INSERT INTO kinds (tiny, day, happened, clock) VALUES (NULL, '0000-00-00', '0000-00-00', '-838:59:59.999999')`,
    changes: [
      "UPDATE kinds SET n = n + 1, some = 'y', clock = '800:00:00' WHERE id % 97 = FLOOR(RAND() * 97)",
      "UPDATE kinds SET doc = CONCAT('[', id, ']'), moment = NOW(6), wide = wide / 3, old = CONCAT(old, 'ß'), bits = 511, tiny = 1 WHERE id % 89 = FLOOR(RAND() * 89)",
      "UPDATE kinds SET words = CONCAT(words, ' ') WHERE id % 113 = FLOOR(RAND() * 113)",
      "DELETE FROM kinds WHERE id % 211 = FLOOR(RAND() * 211)",
      "INSERT INTO kinds (n, feeling, day) SELECT seq, 'ok', '0000-00-00' FROM seq_1_to_20",
    ],
    texts: [
      ...[
        "id",
        "tiny",
        "big",
        "flag",
        "n",
        "wide",
        "yr",
        "clock",
        "feeling",
        "some",
        "doc",
        "old",
        "broad",
        "words",
        "twice",
        "kept",
      ].map(sameInMysql),
      ["CAST(bits + 0 AS CHAR)", "bits::varchar"],
      ["CAST(CAST(f * 4 AS SIGNED) AS CHAR)", "(f * 4)::bigint::varchar"],
      ["LOWER(HEX(raw))", "lower(hex(raw))"],
      ["LOWER(HEX(fixed))", "lower(hex(fixed))"],
      ["LOWER(HEX(place))", "lower(hex(place))"],
      ["NULLIF(CAST(day AS CHAR), '0000-00-00')", "day::varchar"],
      ["NULLIF(CAST(happened AS CHAR), '0000-00-00 00:00:00.000000')", "strftime(happened, '%Y-%m-%d %H:%M:%S.%f')"],
      ["CAST(CAST(UNIX_TIMESTAMP(moment) * 1000000 AS SIGNED) AS CHAR)", "epoch_us(moment)::varchar"],
    ],
  },
  {
    path: '$.Order "Lines" Näme',
    lake: 'Order "Lines" Näme',
    source: '`Order "Lines" Näme`',
    create: `CREATE TABLE \`Order "Lines" Näme\` (\`Select\` int, \`from\` varchar(50), \`a.b\` text, \`back\\slash\` text, \`Größe 中文\` decimal(8,2), PRIMARY KEY (\`from\`, \`Select\`)); INSERT INTO \`Order "Lines" Näme\` SELECT seq, CONCAT('F''', seq % 50), 'dot', '\\\\', seq / 3 FROM seq_1_to_${ROWS}`,
    changes: [
      'UPDATE `Order "Lines" Näme` SET `Größe 中文` = `Größe 中文` + 1 WHERE `Select` % 50 = FLOOR(RAND() * 50)',
      "UPDATE IGNORE `Order \"Lines\" Näme` SET `from` = CONCAT(LOWER(`from`), 'ß') WHERE `Select` % 301 = FLOOR(RAND() * 301)",
      'DELETE FROM `Order "Lines" Näme` WHERE `Select` % 101 = FLOOR(RAND() * 101)',
      "INSERT IGNORE INTO `Order \"Lines\" Näme` (`Select`, `from`) SELECT 10000 + FLOOR(RAND() * 100000), 'n' FROM seq_1_to_10",
    ],
    texts: ["Select", "from", "a.b", "back\\slash", "Größe 中文"].map(sameInMysql),
  },
  {
    path: "$.user",
    lake: "user",
    source: "`user`",
    create: `CREATE TABLE \`user\` (name varchar(50), at datetime(3), feeling enum('ok', 'a'), raw binary(2), \`order\` int, PRIMARY KEY (name, at, feeling, raw)); INSERT INTO \`user\` SELECT CONCAT('U', seq % 7), '2020-01-01' + INTERVAL seq MINUTE, 'ok', 'x', seq FROM seq_1_to_${ROWS}`,
    changes: [
      "UPDATE IGNORE `user` SET feeling = 'a', raw = 'zz' WHERE `order` % 61 = FLOOR(RAND() * 61)",
      "DELETE FROM `user` WHERE `order` % 151 = FLOOR(RAND() * 151)",
      "INSERT IGNORE INTO `user` SELECT 'u1', NOW(3), 'a', seq, seq FROM seq_1_to_5",
    ],
    texts: [
      ...["name", "feeling", "order"].map(sameInMysql),
      ["LOWER(HEX(raw))", "lower(hex(raw))"],
      ["CAST(at AS CHAR)", "strftime(\"at\", '%Y-%m-%d %H:%M:%S.%g')"],
    ],
  },
  {
    path: "$.parted",
    lake: "parted",
    source: "parted",
    create: `CREATE TABLE parted (id int, at date, v text, PRIMARY KEY (id, at)) PARTITION BY HASH (id) PARTITIONS 3; INSERT INTO parted SELECT seq, '2022-01-01' + INTERVAL seq DAY, 'v' FROM seq_1_to_${ROWS}`,
    changes: [
      "UPDATE IGNORE parted SET id = id + 1, at = at + INTERVAL 1 DAY WHERE id % 131 = FLOOR(RAND() * 131)",
      "DELETE FROM parted WHERE id % 97 = FLOOR(RAND() * 97)",
      "UPDATE parted SET v = CONCAT(v, '+') WHERE id % 71 = FLOOR(RAND() * 71)",
    ],
    texts: ["id", "at", "v"].map(sameInMysql),
  },
  {
    path: "$.heap",
    lake: "heap",
    source: "heap",
    create: `CREATE TABLE heap (a int, b text); INSERT INTO heap SELECT seq % 50, 'same' FROM seq_1_to_${ROWS}`,
    changes: [
      "DELETE FROM heap LIMIT 1",
      "INSERT INTO heap VALUES (1, 'same'), (NULL, NULL)",
      "UPDATE heap SET b = 'changed' WHERE a = FLOOR(RAND() * 50)",
    ],
    texts: ["a", "b"].map(sameInMysql),
  },
  {
    path: "$.seen",
    lake: "seen",
    source: "seen",
    create: "CREATE VIEW seen AS SELECT id, n, n * 2 AS twice FROM kinds WHERE flag = 1",
    changes: [],
    texts: ["id", "n", "twice"].map(sameInMysql),
  },
];
