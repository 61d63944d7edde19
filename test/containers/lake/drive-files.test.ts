import { existsSync, mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fixedPart, matcherOf } from "../../../containers/engine/lake/files/drive-globs.ts";
import { column, TestLake } from "../../support/node/lake/test-lake.ts";

const ROOT = "gs://bucket/team/drive/";
let lake: TestLake;

function put(path: string, content: string | Uint8Array, at = lake): string {
  const file = join(at.platform.directory, "drive", path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  return ROOT + path;
}

beforeAll(async () => {
  lake = await TestLake.open();
  put("a.csv", "id,name\n1,Ada\n2,Bo\n");
  put("a.csv.bak", "not this one\n");
  put("days/2026/one.csv", "id,name\n3,Cy\n");
  put("days/2026/two.csv", "id,name\n4,Di\n");
  put("days/2026/deep/three.csv", "id,name\n5,Ed\n");
  put("days/2025/old.csv", "id,name\n6,Fay\n");
  put("rows.ndjson", '{"id": 7}\n{"id": 8}\n');
  put("packed.csv.gz", gzipSync("id\n9\n10\n"));
  put("it's é [1].csv", "id\n11\n");
  put("__proto__", "id\n14\n");
  put("parts/city=São Paulo/x.csv", "id\n12\n");
  put("parts/city=Bern/x.csv", "id\n13\n");
  await lake.write("drive/t.parquet", "SELECT range AS id FROM range(5)");
});
afterAll(() => lake.close());

const ids = async (from: string): Promise<unknown[]> =>
  (await lake.rows(`SELECT id FROM ${from} ORDER BY id`)).map(({ id }) => id);

describe("a file of the drive", () => {
  it.each([
    ["read_csv", `read_csv('${ROOT}a.csv')`, [1, 2]],
    [
      "read_csv_auto with options",
      `read_csv_auto('${ROOT}a.csv', header = true, delim := ',', types => {'id': 'INTEGER'})`,
      [1, 2],
    ],
    ["read_parquet", `read_parquet('${ROOT}t.parquet')`, [0, 1, 2, 3, 4]],
    ["read_json", `read_json('${ROOT}rows.ndjson')`, [7, 8]],
    ["read_ndjson_auto", `read_ndjson_auto('${ROOT}rows.ndjson')`, [7, 8]],
    ["its name alone", `'${ROOT}a.csv'`, [1, 2]],
    ["its name alone in double quotes, with an alias", `"${ROOT}t.parquet" AS q`, [0, 1, 2, 3, 4]],
    ["a compressed file", `read_csv('${ROOT}packed.csv.gz')`, [9, 10]],
    ["a list", `read_csv(['${ROOT}a.csv', '${ROOT}days/2025/old.csv'])`, [1, 2, 6]],
    ["a glob within a folder", `read_csv('${ROOT}days/2026/*.csv')`, [3, 4]],
    ["a glob across folders", `read_csv('${ROOT}days/**/*.csv')`, [3, 4, 5, 6]],
    ["a glob in a list", `read_csv(['${ROOT}days/202[5]/*.csv', '${ROOT}a.csv'])`, [1, 2, 6]],
    ["a glob as a name alone", `'${ROOT}days/2026/t?o.csv'`, [4]],
    ["a name that every object knows", `read_csv('${ROOT}__proto__', header = true)`, [14]],
    [
      "partitions in folders' names",
      `read_csv('${ROOT}parts/*/x.csv', hive_partitioning = true) WHERE city = 'São Paulo'`,
      [12],
    ],
  ])("is read by %s", async (_, from, expected) => {
    expect(await ids(from)).toEqual(expected);
  });

  it("joins with tables of the lake, within subqueries and common table expressions too", async () => {
    lake.platform.addTable(
      "main",
      "people",
      [column(1, "id", "int64")],
      [{ path: await lake.write("people.parquet", "SELECT 2::BIGINT AS id", "id: 1") }],
    );
    expect(
      await lake.rows(
        `WITH c AS (FROM read_csv('${ROOT}a.csv')) SELECT name, (SELECT max(id) FROM '${ROOT}t.parquet') AS top FROM c JOIN people USING (id)`,
      ),
    ).toEqual([{ name: "Bo", top: 4 }]);
    expect(await lake.rows(`DESCRIBE SELECT * FROM read_csv('${ROOT}a.csv')`)).toMatchObject([
      { column_name: "id" },
      { column_name: "name" },
    ]);
  });

  it("is read as it is now, and fetched again only after a change", async () => {
    const path = put("changing.csv", "id\n1\n");
    const before = lake.platform.calls.get ?? 0;
    expect(await ids(`'${path}'`)).toEqual([1]);
    expect(await ids(`'${path}'`)).toEqual([1]);
    expect(lake.platform.calls.get).toBe(before + 1);
    put("changing.csv", "id\n2\n");
    utimesSync(join(lake.platform.directory, "drive", "changing.csv"), new Date(), new Date(Date.now() + 5_000));
    expect(await ids(`'${path}'`)).toEqual([2]);
  });

  it("may have a name with quotes, or one that DuckDB would take for a pattern", async () => {
    expect(await ids(`read_csv('${ROOT}it''s é ?1].csv')`)).toEqual([11]);
    expect(await ids(`read_csv('${ROOT}it''s é [1].csv')`)).toEqual([11]);
    expect(await ids(`read_csv(['${ROOT}days/2025/*.csv', '${ROOT}it''s é [1].csv'], union_by_name = true)`)).toEqual([
      6, 11,
    ]);
  });

  it("that does not exist is said, at its place", async () => {
    expect(await lake.failure(`SELECT 1 FROM '${ROOT}a.cs.csv'`)).toMatchObject({
      code: "sql_error",
      message: `There is no file ${ROOT}a.cs.csv.`,
      position: 15,
    });
    expect(await lake.failure(`SELECT 1 FROM '${ROOT}none/*.csv'`)).toMatchObject({
      code: "sql_error",
      message: `No file of the drive matches ${ROOT}none/*.csv.`,
    });
  });

  it("is named as it was written in an error, and the place is that of the statement sent", async () => {
    const path = put("bad.csv", "id\n1\nx\n");
    const failure = await lake.failure(`FROM read_csv('${path}', columns = {'id': 'INTEGER'})`);
    expect(failure).toMatchObject({ code: "sql_error" });
    expect(failure.message).toContain(path);
    expect(failure.message).not.toMatch(/drive\/[0-9a-f]{32}/);
    const sql = `EXPLAIN SELECT é, nosuch FROM (SELECT 1 AS é, * FROM read_csv(['${ROOT}days/2026/*.csv', '${ROOT}a.csv'])), range(nosuch2)`;
    expect((await lake.failure(sql)).position).toSatisfy((position: number) => /^nosuch/.test(sql.slice(position - 1)));
  });
});

describe("refused is", () => {
  it.each([
    ["another team's drive", "read_csv('gs://bucket/other/drive/a.csv')", /own team/],
    ["another bucket", "read_csv('gs://elsewhere/team/drive/a.csv')", /own team/],
    [
      "a part of the team's bucket that is not the drive",
      "read_parquet('gs://bucket/team/lake/x.parquet')",
      /file of the drive is/,
    ],
    ["a path of the machine", "read_csv('/etc/passwd')", /Only files of the team's drive/],
    ["another scheme", "read_parquet('s3://bucket/team/drive/a.parquet')", /Only files of the team's drive/],
    ["the web", "'https://example.com/a.csv'", /Only files of the team's drive/],
    ["a path made by an expression", `read_csv('${ROOT}' || 'a.csv')`, /plain quoted text/],
    ["a path in another way of quoting", `read_csv(E'${ROOT}a.csv')`, /plain quoted text/],
    ["a path in two pieces", `read_csv('${ROOT}'\n'a.csv')`, /plain quoted text/],
    ["a column's value", `(SELECT '${ROOT}a.csv' AS f) AS t, read_csv(t.f)`, /plain quoted text/],
    ["no path", "read_csv()", /name them/],
    ["an empty list", "read_csv([])", /name them/],
    ["a second argument", `read_csv('${ROOT}a.csv', '${ROOT}a.csv')`, /options by name/],
    ["an option that makes tables", `read_csv('${ROOT}a.csv', store_rejects = true)`, /option store_rejects/],
    [
      "an option that names keys",
      `read_parquet('${ROOT}t.parquet', encryption_config = {footer_key: 'k'})`,
      /option encryption_config/,
    ],
    ["an option that is none", `read_json('${ROOT}rows.ndjson', no_such = 1)`, /option no_such/],
    ["a name that does not tell what it holds", `'${ROOT}a.csv.bak'`, /read_csv, read_parquet or read_json/],
    ["an ending that every object knows", `'${ROOT}a.constructor'`, /read_csv, read_parquet or read_json/],
    ["a function that reads text as it is", `read_text('${ROOT}a.csv')`, /read_text can't be used/],
  ])("%s", async (_, from, message) => {
    expect(await lake.failure(`SELECT * FROM ${from}`)).toMatchObject({
      code: "statement_refused",
      message: expect.stringMatching(message),
    });
  });

  it("more than a statement may read, by count and by bytes, before anything is fetched", async () => {
    const small = await TestLake.open({ driveFilesMax: 2, driveBytesMax: 100 });
    try {
      for (const name of ["1.csv", "2.csv", "3.csv"]) put(`many/${name}`, "id\n1\n", small);
      put("large.csv", `id\n${"1\n".repeat(60)}`, small);
      expect(await small.failure(`FROM '${ROOT}many/*.csv'`)).toMatchObject({
        code: "resources_exceeded",
        message: expect.stringContaining("the 2 files"),
      });
      expect(
        await small.failure(`SELECT 1 FROM '${ROOT}many/1.csv', '${ROOT}many/2.csv', '${ROOT}many/1.csv' AS again`),
      ).toMatchObject({ code: "resources_exceeded", message: expect.stringContaining("this one names 3") });
      expect(await small.failure(`FROM '${ROOT}large.csv'`)).toMatchObject({
        code: "resources_exceeded",
        message: expect.stringContaining("100 bytes"),
      });
      expect(small.platform.calls.get).toBeUndefined();
    } finally {
      await small.close();
    }
  });
});

describe("the disk", () => {
  it("never holds more of the drive than it may, and least what was used last", async () => {
    const small = await TestLake.open({ driveBytesMax: 250 });
    const folder = join(small.directory, "cache", "drive");
    const held = (): number =>
      readdirSync(folder, { recursive: true, encoding: "utf8" }).reduce(
        (sum, name) => (statSync(join(folder, name)).isFile() ? sum + statSync(join(folder, name)).size : sum),
        0,
      );
    try {
      for (const name of ["a", "b", "c", "d"]) put(`${name}.csv`, `id\n${`${name.charCodeAt(0)}\n`.repeat(30)}`, small);
      for (const name of ["a", "b", "c", "d", "a"]) {
        expect(await small.rows(`SELECT count(*) AS n FROM '${ROOT}${name}.csv'`)).toEqual([{ n: 30 }]);
        expect(held()).toBeLessThanOrEqual(250);
        expect(readdirSync(folder).length).toBeLessThanOrEqual(2);
      }
    } finally {
      await small.close();
    }
    expect(existsSync(folder)).toBe(false);
  });

  it("keeps nothing of a file that changed between its listing and its download", async () => {
    const path = put("racing.csv", "id\n1\n");
    const file = join(lake.platform.directory, "drive", "racing.csv");
    lake.platform.onListed = () => utimesSync(file, new Date(), new Date(Date.now() + 5_000));
    expect(await lake.failure(`FROM '${path}'`)).toMatchObject({ code: "platform_unavailable" });
    lake.platform.onListed = undefined;
    expect(await ids(`'${path}'`)).toEqual([1]);
  });
});

describe("globs", () => {
  it.each([
    ["*.csv", ["a.csv", ".csv"], ["a/b.csv", "a.csvx"]],
    ["**", ["a", "a/b/c"], []],
    ["a/**/b", ["a/b", "a/x/b", "a/x/y/b"], ["b", "a/x"]],
    ["a[!b-d]e", ["aae", "axe"], ["abe", "ace", "ae"]],
    ["x?z*", ["xyz", "x🙂zz"], ["xz"]],
    ["a.b", ["a.b"], ["axb"]],
    ["[", ["["], ["a"]],
  ])("%s", (pattern, yes, no) => {
    const matches = matcherOf(pattern);
    expect([yes.filter((path) => !matches(path)), no.filter((path) => matches(path))]).toEqual([[], []]);
  });

  it("match what begins with their fixed part only, and every star with any text", () => {
    const name = fc.stringMatching(/^[a-c/.]{1,12}$/);
    fc.assert(
      fc.property(name, name, name, (one, between, other) => {
        const [pattern, path] = [`${one}*${other}`, `${one}${between.replaceAll("/", "")}${other}`];
        expect(matcherOf(pattern)(path)).toBe(true);
        expect(path.startsWith(fixedPart(pattern))).toBe(true);
      }),
    );
  });

  it("end soon, whatever the pattern", () => {
    expect(matcherOf(`${"*a".repeat(200)}b`)("a".repeat(1_000))).toBe(false);
    expect(matcherOf(`${"**/*a*/".repeat(50)}b`)("aaa/".repeat(200))).toBe(false);
  });
});
