// MySQL's tables as Parquet, on a real MariaDB: every type with its edge values, zero dates counted, ranges that
// changed and no others.

import mysql2, { type Connection as Root } from "mysql2/promise";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { ChunkBuilder, makeColumns, ODD_FLOAT } from "../../../../containers/engine/extract/chunk-builder.ts";
import { extractInto } from "../../../../containers/engine/extract/extract-table.ts";
import { planColumn } from "../../../../containers/engine/sources/mysql/extraction/plan-column.ts";
import { MysqlDecoder } from "../../../../containers/engine/sources/mysql/extraction/row-decoder.ts";
import {
  compareDigests,
  type CountedRange,
  type TableDigests,
} from "../../../../containers/engine/sources/mysql/extraction/range-digests.ts";
import type { MysqlSnapshot } from "../../../../containers/engine/sources/mysql/extraction/snapshot.ts";
import type { MysqlTable } from "../../../../containers/engine/sources/mysql/extraction/describe-table.ts";
import { ExtractionBench, never, readBack, typesOf } from "../../../support/node/sources/extraction.ts";

const server = inject("mariadb");
const database = `extract_${process.pid}`;
const source = {
  type: "mysql" as const,
  credentials: {
    host: "127.0.0.1",
    port: String(server.port),
    database,
    username: server.username,
    password: server.password,
  },
};
const named = (name: string) => ({ schema: database, name });

let bench: ExtractionBench;
let root: Root;
beforeAll(async () => {
  bench = await ExtractionBench.open();
  root = await mysql2.createConnection({
    host: server.host,
    port: server.port,
    user: server.username,
    password: server.password,
    multipleStatements: true,
  });
  await root.query(`CREATE DATABASE ${database}; USE ${database}; SET time_zone = '+00:00', sql_mode = ''`);
});
afterAll(async () => {
  await root.query(`DROP DATABASE ${database}`);
  await root.end();
  await bench.close();
});

describe("values", () => {
  it.each([
    ["tinyint", "TINYINT", ["-128", "127"], ["-128", "127"]],
    ["bool", "TINYINT", ["true", "2"], ["1", "2"]],
    ["tinyint unsigned", "SMALLINT", ["0", "255"], ["0", "255"]],
    ["smallint", "SMALLINT", ["-32768", "32767"], ["-32768", "32767"]],
    ["smallint unsigned", "INTEGER", ["65535"], ["65535"]],
    ["mediumint", "INTEGER", ["-8388608"], ["-8388608"]],
    ["mediumint unsigned", "INTEGER", ["16777215"], ["16777215"]],
    ["int(8) zerofill", "BIGINT", ["42", "4294967295"], ["42", "4294967295"]],
    ["int", "INTEGER", ["-2147483648", "2147483647"], ["-2147483648", "2147483647"]],
    [
      "bigint",
      "BIGINT",
      ["-9223372036854775808", "9223372036854775807", "9007199254740993", "-1"],
      ["-9223372036854775808", "9223372036854775807", "9007199254740993", "-1"],
    ],
    ["bigint unsigned", "DECIMAL(20,0)", ["18446744073709551615", "0"], ["18446744073709551615", "0"]],
    ["decimal(4,1)", "DECIMAL(4,1)", ["-999.9", "0"], ["-999.9", "0.0"]],
    ["decimal(9,3)", "DECIMAL(9,3)", ["-0.001", "999999.999"], ["-0.001", "999999.999"]],
    ["decimal(18,2)", "DECIMAL(18,2)", ["-9999999999999999.99", "0.01"], ["-9999999999999999.99", "0.01"]],
    [
      "decimal(38,9)",
      "DECIMAL(38,9)",
      ["-12345678901234567890123456789.123456789", "0.000000001"],
      ["-12345678901234567890123456789.123456789", "0.000000001"],
    ],
    [
      "decimal(65,30)",
      "VARCHAR",
      ["-12345678901234567890123456789012345.000000000000000000000000000001"],
      ["-12345678901234567890123456789012345.000000000000000000000000000001"],
    ],
    ["float", "FLOAT", ["0.1", "16777217", "1e-38", "-3.4e38"], ["0.1", "16777216.0", "1e-38", "-3.4e+38"]],
    [
      "double",
      "DOUBLE",
      ["0.1", "0.1e0 + 0.2e0", "-1.7976931348623157e308", "123456789.125", "1e22"],
      ["0.1", "0.30000000000000004", "-1.7976931348623157e+308", "123456789.125", "1e+22"],
    ],
    ["bit(1)", "BIGINT", ["b'1'", "b'0'"], ["1", "0"]],
    ["bit(63)", "BIGINT", ["9223372036854775807"], ["9223372036854775807"]],
    ["bit(64)", "DECIMAL(20,0)", ["18446744073709551615"], ["18446744073709551615"]],
    ["year", "SMALLINT", ["2026", "1901", "0"], ["2026", "1901", "0"]],
    [
      "date",
      "DATE",
      ["'1000-01-01'", "'9999-12-31'", "'2000-02-29'", "'1969-12-31'"],
      ["1000-01-01", "9999-12-31", "2000-02-29", "1969-12-31"],
    ],
    [
      "datetime(6)",
      "TIMESTAMP",
      ["'1000-01-01 00:00:00'", "'9999-12-31 23:59:59.999999'", "'1969-12-31 23:59:59.000001'"],
      ["1000-01-01 00:00:00", "9999-12-31 23:59:59.999999", "1969-12-31 23:59:59.000001"],
    ],
    ["datetime(1)", "TIMESTAMP", ["'2026-01-31 10:00:00.5'"], ["2026-01-31 10:00:00.5"]],
    ["timestamp(3) null", "TIMESTAMP WITH TIME ZONE", ["'2026-01-31 10:00:00.123'"], ["2026-01-31 10:00:00.123+00"]],
    ["time(2)", "VARCHAR", ["'-838:59:58.50'"], ["-838:59:58.50"]],
    ["char(5)", "VARCHAR", ["'ab'", "''"], ["ab", ""]],
    ["varchar(20) character set latin1", "VARCHAR", ["'é'", "''"], ["é", ""]],
    ["text", "VARCHAR", ["''", "'ü😀 \\\\N NULL'", "'a\\nb\\tc'"], ["", "ü😀 \\N NULL", "a\nb\tc"]],
    ["binary(4)", "BLOB", ["x'00ff'"], ["\\x00\\xFF\\x00\\x00"]],
    ["blob", "BLOB", ["''", "x'deadbeef'"], ["", "\\xDE\\xAD\\xBE\\xEF"]],
    ["enum('a','b c')", "VARCHAR", ["'b c'"], ["b c"]],
    ["set('x','y')", "VARCHAR", ["'x,y'", "''"], ["x,y", ""]],
    ["json", "JSON", ["'{\"a\": [1, null]}'"], ['{"a": [1, null]}']],
    ["uuid", "UUID", ["'123e4567-e89b-12d3-a456-426614174000'"], ["123e4567-e89b-12d3-a456-426614174000"]],
    ["inet6", "VARCHAR", ["'::1'"], ["::1"]],
  ] as const)("of %s arrive as they are, NULL among them", async (type, duckdb, values, expected) => {
    const name = `values_${type.replace(/\W/g, "_")}`;
    await root.query(
      `CREATE TABLE ${name} (n int, c ${type}) CHARACTER SET utf8mb4; INSERT INTO ${name} VALUES ${[...values, "NULL"].map((value, n) => `(${n}, ${value})`).join(", ")}`,
    );
    const { files } = await bench.extract(source, named(name));
    expect(await typesOf(files)).toEqual({ n: "INTEGER", c: duckdb });
    expect((await readBack(files, "SELECT c FROM t ORDER BY n")).map(([c]) => c)).toEqual([...expected, null]);
  });

  it("that are -0, which MariaDB does not keep, come as MySQL prints them, and are reported", () => {
    const columns = ["double", "float"].map((type) =>
      planColumn(
        { name: type, dataType: type, columnType: type, precision: 0, scale: 0, nullable: false, isJsonText: false },
        type,
      ),
    );
    const builder = new ChunkBuilder(
      () => makeColumns(columns),
      () => undefined,
    );
    const decoder = new MysqlDecoder(columns, builder);
    const {
      columns: [doubles, floats],
    } = builder;
    for (const cell of ["-0", "0"]) {
      const row = Buffer.from([cell, cell].flatMap((text) => [text.length, ...Buffer.from(text)]));
      void decoder.take(row, 0, row.length);
      expect(decoder.oddFloats).toEqual([ODD_FLOAT.negativeZero, ODD_FLOAT.negativeZero]);
    }
    expect([...new Float64Array(doubles!.i64.buffer, 0, 2), ...new Float32Array(floats!.i32.buffer, 0, 2)]).toEqual([
      -0, 0, -0, 0,
    ]);
  });

  it("that are no dates are NULL, and counted by column", async () => {
    await root.query(
      "SET sql_mode = 'ALLOW_INVALID_DATES'; CREATE TABLE zeroes (id int PRIMARY KEY, d date NOT NULL, t datetime(3) NOT NULL); INSERT INTO zeroes VALUES (1, '0000-00-00', '0000-00-00'), (2, '2026-02-31', '2026-01-01'), (3, '2026-01-00', '2026-01-01'); SET sql_mode = ''",
    );
    const { files, notes, table } = await bench.extract(source, named("zeroes"));
    expect(await readBack(files, "SELECT count(*), count(d), count(t) FROM t")).toEqual([["3", "0", "2"]]);
    expect(notes).toEqual([
      "Column d holds 3 zero or impossible dates, which are NULL in the lake.",
      "Column t holds 1 zero or impossible dates, which are NULL in the lake.",
    ]);
    expect(table.columns.map(({ lake }) => lake.nullable)).toEqual([false, true, true]);
  });

  it("keep their types in columns that are called as members of every object", async () => {
    await root.query(
      "CREATE TABLE proto (constructor int, toString int, __proto__ int); INSERT INTO proto VALUES (1, 2, 3)",
    );
    const { files } = await bench.extract(source, named("proto"));
    expect(await typesOf(files)).toEqual({ constructor: "INTEGER", toString: "INTEGER", ["__proto__"]: "INTEGER" });
  });

  it("longer than a packet of the protocol arrive whole", async () => {
    await root.query(
      "CREATE TABLE huge (id int PRIMARY KEY, c longtext); INSERT INTO huge VALUES (1, REPEAT('abcdefgh', 5000000)), (2, 'short'), (3, REPEAT('x', 16777210))",
    );
    const { files } = await bench.extract(source, named("huge"));
    expect(await readBack(files, "SELECT length(c), md5(c) FROM t ORDER BY id")).toEqual(
      (
        (await root.query("SELECT CAST(LENGTH(c) AS CHAR) AS l, MD5(c) AS m FROM huge ORDER BY id"))[0] as {
          l: string;
          m: string;
        }[]
      ).map(({ l, m }) => [l, m]),
    );
  });
});

it("keeps exact names, generated columns and composite keys, and reads views", async () => {
  await root.query(
    "CREATE TABLE `Odd ``name` (`b c` int, `A` varchar(5), twice int AS (`b c` * 2), PRIMARY KEY (`A`, `b c`)); INSERT INTO `Odd ``name` (`b c`, `A`) VALUES (1, 'x'); CREATE VIEW seen AS SELECT twice AS t FROM `Odd ``name`",
  );
  const { table, files } = await bench.extract(source, named("Odd `name"));
  expect(table.primaryKey).toEqual(["A", "b c"]);
  expect(await readBack(files, 'SELECT "b c", "A", twice FROM t')).toEqual([["1", "x", "2"]]);
  const view = await bench.extract(source, named("seen"));
  expect([view.table.kind, view.rows]).toEqual(["view", 1]);
});

it("reads all tables of a run from one moment", async () => {
  await root.query(
    "CREATE TABLE moment_a (n int PRIMARY KEY); CREATE TABLE moment_b (n int PRIMARY KEY); INSERT INTO moment_a VALUES (1); INSERT INTO moment_b VALUES (1)",
  );
  const snapshot = await bench.snapshot(source);
  try {
    await root.query("INSERT INTO moment_a VALUES (2); INSERT INTO moment_b VALUES (2)");
    const extracted = await Promise.all(["moment_a", "moment_b"].map((name) => bench.extract(snapshot, named(name))));
    expect(extracted.map(({ rows }) => rows)).toEqual([1, 1]);
  } finally {
    await snapshot.close();
  }
});

it("does not take a table for empty that is truncated after the run began", async () => {
  await root.query("CREATE TABLE emptied (n int PRIMARY KEY); INSERT INTO emptied VALUES (1)");
  const snapshot = await bench.snapshot(source);
  try {
    const table = await snapshot.describe(named("emptied"), never());
    await root.query("TRUNCATE emptied");
    await expect(bench.extract(snapshot, table)).rejects.toMatchObject({ code: "busy" });
  } finally {
    await snapshot.close();
  }
});

describe("digests of ranges", () => {
  const compare = async (name: string, before?: TableDigests) => {
    const snapshot = (await bench.snapshot(source)) as MysqlSnapshot;
    try {
      const table = (await snapshot.describe(named(name), never())) as MysqlTable;
      const compared = await compareDigests({ snapshot, table, before, signal: never() });
      if ("full" in compared)
        return { full: compared.full, rowsRead: -1, changed: [] as CountedRange[], digests: undefined };
      let rowsRead = 0;
      for (const [i, { where }] of compared.changed.entries())
        rowsRead += (
          await extractInto(`range_${i}`, { snapshot, table, staging: bench.staging, where, signal: never() })
        ).rows;
      const connection = await bench.staging.connect();
      for (const i of compared.changed.keys()) await connection.run(`DROP TABLE range_${i}`);
      connection.closeSync();
      return {
        ...compared,
        rowsRead,
        full: undefined,
        digests: JSON.parse(JSON.stringify(compared.digests)) as TableDigests,
      };
    } finally {
      await snapshot.close();
    }
  };

  it("find the ranges that changed, and no others, and cover every key", async () => {
    await root.query(
      "CREATE TABLE wide (a int, b varchar(20), v double, PRIMARY KEY (a, b)); INSERT INTO wide SELECT seq DIV 3, CONCAT('Key ', seq), seq / 7 FROM seq_1_to_100000",
    );
    const first = await compare("wide");
    expect(first.digests!.ranges.length).toBeGreaterThanOrEqual(4);
    expect(first.rowsRead).toBe(100_000);
    const same = await compare("wide", first.digests);
    expect([same.changed, same.digests]).toEqual([[], first.digests]);

    await root.query("UPDATE wide SET v = v + 1e-9 WHERE a = 5 AND b = 'Key 15'");
    const updated = await compare("wide", first.digests);
    expect(updated.changed).toHaveLength(1);
    expect(updated.rowsRead).toBe(first.digests!.ranges[0]!.rows);
    await root.query(
      "DELETE FROM wide WHERE a = 15000; INSERT INTO wide VALUES (-5, 'before all', 1), (1000000, 'after all', NULL)",
    );
    const moved = await compare("wide", updated.digests);
    expect(moved.changed).toHaveLength(3);
    expect((await compare("wide", moved.digests)).changed).toEqual([]);
  });

  it("cut a range anew that has grown", async () => {
    await root.query(
      "CREATE TABLE grown (id int PRIMARY KEY, v int); INSERT INTO grown SELECT seq, 1 FROM seq_1_to_1000",
    );
    const first = await compare("grown");
    expect(first.digests!.ranges).toHaveLength(1);
    await root.query("INSERT INTO grown SELECT seq, 2 FROM seq_1001_to_90000");
    const second = await compare("grown", first.digests);
    expect(second.digests!.ranges.map(({ rows }) => rows)).toEqual([20_000, 20_000, 20_000, 20_000, 10_000]);
    expect(second.rowsRead).toBe(90_000);
    await root.query("INSERT INTO grown VALUES (90001, 3)");
    expect(await compare("grown", second.digests)).toMatchObject({
      rowsRead: 10_001,
      changed: [{ lake: { where: `("id" > CAST('80000' AS INTEGER))` } }],
    });
  });

  it.each([
    ["NULL to an empty string", "s = ''"],
    ["an empty string in one column to another's", "s = 'ab', u = 'c'"],
    ["a comma across columns", "s = 'a,b', u = ''"],
    ["the last digit of a float", "f = 1.00000012"],
    ["a digit a float would not print", "f = f + 1e-7"],
    ["a long text's last character", "t = CONCAT(REPEAT('x', 100000), 'z')"],
    ["the case of a letter its collation takes for the same", "c = 'A'"],
    ["blanks at its end", "c = 'a '"],
    ["a bit", "b = b'11'"],
    ["a microsecond", "d = '2026-01-01 00:00:00.000001'"],
    ["a JSON's blank", "j = '{ }'"],
    ["NULL to N", "s = 'N'"],
    ["bytes", "bl = x'00'"],
  ])("see a change of %s", async (_name, change) => {
    await root.query(`CREATE OR REPLACE TABLE fine (id int PRIMARY KEY, s varchar(20), u varchar(20), f float, t longtext, c varchar(9) COLLATE utf8mb4_general_ci, b bit(2), d datetime(6), j json, bl blob, l varchar(9) CHARACTER SET latin1);
      INSERT INTO fine VALUES (1, NULL, 'abc', 1, CONCAT(REPEAT('x', 100000), 'y'), 'a', b'01', '2026-01-01', '{}', '', 'é'), (2, 'a', 'b', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)`);
    const first = await compare("fine");
    expect((await compare("fine", first.digests)).changed).toEqual([]);
    await root.query(`UPDATE fine SET ${change} WHERE id = 1`);
    expect((await compare("fine", first.digests)).changed).toHaveLength(1);
  });

  it("are of no use without a key, with an enum in it, or when columns have changed", async () => {
    await root.query(
      "CREATE TABLE keyless (a int); CREATE TABLE by_enum (e enum('b','a') PRIMARY KEY); CREATE TABLE shifting (id int PRIMARY KEY); INSERT INTO shifting VALUES (1)",
    );
    expect((await compare("keyless")).full?.note).toBe("It has no key: all of it is read.");
    expect((await compare("by_enum")).full?.note).toBe(
      "Its key has a column whose ranges can't be told: all of it is read.",
    );
    const first = await compare("shifting");
    await root.query("ALTER TABLE shifting ADD COLUMN more int");
    expect((await compare("shifting", first.digests)).changed).toHaveLength(1);
  });

  it("bound ranges by keys of every type", async () => {
    await root.query(
      "CREATE TABLE keyed (d decimal(10,2), t datetime(6), s varchar(30), b varbinary(8), u uuid, v int, PRIMARY KEY (d, t, s, b, u)) CHARACTER SET latin1; INSERT INTO keyed SELECT seq / 4000, '2026-01-01' + INTERVAL seq SECOND, CONCAT('it''s é ', seq), UNHEX(HEX(seq)), UUID(), seq FROM seq_1_to_50000",
    );
    const first = await compare("keyed");
    expect([first.digests!.ranges.length, first.rowsRead]).toEqual([3, 50_000]);
    await root.query("UPDATE keyed SET v = 0 WHERE v = 40000");
    const second = await compare("keyed", first.digests);
    expect([second.changed.length, second.rowsRead]).toEqual([1, 20_000]);
  });
});
