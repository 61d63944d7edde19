import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BuildLake } from "../../support/node/lake/build-lake.ts";

let lake: BuildLake;
beforeAll(async () => void (lake = await BuildLake.open()));
afterAll(() => lake.close());

const rows = (sql: string) => lake.write.rows(sql);
const failure = (work: Promise<unknown>) =>
  work.then(
    () => ({ code: "none", message: "It was built." }),
    ({ code, message }: { code: string; message: string }) => ({ code, message }),
  );

describe("a table that is replaced", () => {
  it("holds exactly the rows of the last run, also where there are none", async () => {
    const build = (sql: string) => lake.run({ all: { table: "shop.all_of_it", sql } });
    await build("SELECT 1 AS id, 'a' AS name UNION ALL SELECT 2, NULL");
    expect(await rows("SELECT * FROM shop.all_of_it ORDER BY id")).toEqual([
      { id: 1, name: "a" },
      { id: 2, name: null },
    ]);
    await build("SELECT 3 AS id, 'c' AS name");
    expect(await rows("SELECT * FROM shop.all_of_it")).toEqual([{ id: 3, name: "c" }]);
    await build("SELECT 3 AS id, 'c' AS name WHERE false");
    expect(await rows("SELECT count(*) AS n FROM shop.all_of_it")).toEqual([{ n: 0 }]);
  });

  it("takes the columns of the last run, whatever their types were", async () => {
    await lake.run({ t: { table: "retyped", sql: "SELECT 1 AS id" } });
    await lake.run({ t: { table: "retyped", sql: "SELECT 'x' AS id, DATE '2026-01-31' AS day" } });
    expect(await rows("SELECT * FROM retyped")).toEqual([{ id: "x", day: "2026-01-31" }]);
  });

  it("takes the rows of a WITH that reads, and nothing of one that writes", async () => {
    const build = (sql: string) => failure(lake.run({ t: { table: "common", sql } }));
    expect(await build("WITH a AS (SELECT 1 AS id) INSERT INTO common SELECT * FROM a")).toMatchObject({
      code: "statement_refused",
    });
    expect(await build("/* rows */ WITH a AS (SELECT 1 AS id) SELECT * FROM a -- all")).toMatchObject({ code: "none" });
    expect(await build("WITH a AS (SELECT 2 AS id) DELETE FROM common")).toMatchObject({ code: "statement_refused" });
    expect(await rows("SELECT * FROM common")).toEqual([{ id: 1 }]);
  });

  it("may be read by the dataset that builds it", async () => {
    const grow = (sql: string) => lake.run({ t: { table: "grown", sql } });
    expect(await failure(grow("SELECT id + 1 AS id FROM grown"))).toMatchObject({ code: "sql_error" });
    await grow("SELECT 1 AS id");
    await grow("SELECT id FROM grown UNION ALL SELECT max(id) + 1 FROM grown");
    expect(await rows("SELECT id FROM grown ORDER BY id")).toEqual([{ id: 1 }, { id: 2 }]);
  });
});

describe("a table that rows are appended to", () => {
  const append = (sql: string) => lake.run({ t: { table: "log", sql, mode: "append" } });

  it("keeps its rows, takes new columns, and widens a type that holds the old values", async () => {
    await append("SELECT 1::INTEGER AS id");
    await append("SELECT 5000000000 AS id, 'new' AS note");
    await append("SELECT 3::SMALLINT AS id, NULL::VARCHAR AS note");
    expect(await rows("SELECT * FROM log ORDER BY id")).toEqual([
      { id: 1, note: null },
      { id: 3, note: null },
      { id: 5000000000, note: "new" },
    ]);
  });

  it("refuses rows whose type would lose values, and stays as it was", async () => {
    const before = await rows("SELECT * FROM log ORDER BY id");
    expect(await failure(append("SELECT 1.5 AS id, 'x' AS note"))).toEqual({
      code: "sql_error",
      message: expect.stringContaining("The column id of main.log is of the type BIGINT, and the rows have DECIMAL"),
    });
    expect(await rows("SELECT * FROM log ORDER BY id")).toEqual(before);
  });
});

describe("a table that rows are merged into", () => {
  const merge = (sql: string) => lake.run({ t: { table: "customers", sql, mode: "merge", key: ["ID"] } });

  it("takes each row by its key, in the place of the row that it had", async () => {
    await merge("SELECT 1 AS id, 'Ada' AS name UNION ALL SELECT 2, 'Bob' UNION ALL SELECT 3, 'Cy'");
    await merge("SELECT 2 AS id, NULL AS name UNION ALL SELECT 4, 'Di'");
    expect(await rows("SELECT * FROM customers ORDER BY id")).toEqual([
      { id: 1, name: "Ada" },
      { id: 2, name: null },
      { id: 3, name: "Cy" },
      { id: 4, name: "Di" },
    ]);
    await merge("SELECT * FROM customers WHERE false");
    expect(await rows("SELECT count(*) AS n FROM customers")).toEqual([{ n: 4 }]);
  });

  it("is refused rows of the same key, and rows without one", async () => {
    expect(await failure(merge("SELECT 1 AS id, 'x' AS name UNION ALL SELECT 1, 'y'"))).toEqual({
      code: "sql_error",
      message: "1 keys (id) occur in more than one row: 1.",
    });
    expect(await failure(merge("SELECT NULL::INTEGER AS id, 'x' AS name"))).toEqual({
      code: "sql_error",
      message: "1 rows have no value in the key (id).",
    });
    expect(await failure(merge("SELECT 1 AS id"))).toMatchObject({
      message: "The rows lack the column name, which the table main.customers has.",
    });
  });
});

describe("the tables of one run", () => {
  it("are one snapshot, in which a later dataset reads what an earlier one built", async () => {
    await lake.run({ raw: { table: "raw", sql: "SELECT 1 AS id, 10 AS amount", mode: "merge", key: ["id"] } });
    const before = lake.write.platform.snapshotId;
    const { snapshotId } = await lake.run({
      raw: { table: "raw", mode: "merge", key: ["id"], sql: "SELECT 1 AS id, 11 AS amount UNION ALL SELECT 2, 20" },
      totals: { table: "totals", sql: "SELECT sum(amount)::BIGINT AS total FROM raw", needs: ["raw"] },
      log: { table: "totals_log", sql: "SELECT total FROM totals", mode: "append", needs: ["raw", "totals"] },
    });
    expect(snapshotId).toBe(before + 1);
    expect(await rows("SELECT total FROM totals")).toEqual([{ total: 31 }]);
    expect(await rows("SELECT total FROM totals_log")).toEqual([{ total: 31 }]);
  });

  it("belong to the doc: nothing else writes to them, and it writes to nobody else's", async () => {
    expect(await failure(lake.write.ask("INSERT INTO totals VALUES (1)"))).toEqual({
      code: "conflict",
      message: expect.stringContaining("main.totals belongs to the doc Shop (doc-1)"),
    });
  });
});

describe("a frame", () => {
  it("builds a table like the rows of a query", async () => {
    const file = `${lake.write.platform.bucket}/frame.parquet`;
    await lake.write.platform.duckdb.run(
      `COPY (SELECT 7 AS id, 1.5::DECIMAL(9, 2) AS price, [1, 2] AS parts) TO '${file}' (FORMAT parquet)`,
    );
    await lake.run({
      frame: { table: "framed", frame: file },
      sum: { table: "framed_sum", sql: "SELECT sum(price) AS price FROM framed", needs: ["frame"] },
    });
    expect(await rows("SELECT * FROM framed")).toEqual([{ id: 7, price: 1.5, parts: [1, 2] }]);
    expect(await rows("SELECT * FROM framed_sum")).toEqual([{ price: 1.5 }]);
  });
});
