import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SAMPLE, type TableTest } from "../../../kernel/wire/builds.ts";
import { BuildLake, type BuiltDataset } from "../../support/node/lake/build-lake.ts";

let lake: BuildLake;
beforeAll(async () => {
  lake = await BuildLake.open();
  await lake.write.ask("CREATE TABLE countries AS SELECT unnest(['NO', 'SE']) AS code");
  await lake.run({ orders: { table: "orders", sql: good }, totals: { table: "totals", sql: "SELECT 2 AS orders" } });
});
afterAll(() => lake.close());

const good = "SELECT 1 AS id, 'NO' AS country, 'paid' AS state UNION ALL SELECT 2, 'SE', 'open'";
const plus = (row: string) => `${good} UNION ALL SELECT ${row}`;

const BROKEN: Record<TableTest["kind"], { test: TableTest; sql: string; rows: number; sample: (string | null)[][] }> = {
  not_null: {
    test: { kind: "not_null", columns: ["state"] },
    sql: plus("3, 'NO', NULL"),
    rows: 1,
    sample: [["3", "NO", null]],
  },
  unique: {
    test: { kind: "unique", columns: ["id"] },
    sql: plus("2, 'NO', 'paid' UNION ALL SELECT NULL, 'NO', 'paid' UNION ALL SELECT NULL, 'NO', 'paid'"),
    rows: 1,
    sample: [["2", "2"]],
  },
  accepted_values: {
    test: { kind: "accepted_values", column: "state", values: ["paid", "open", "it's"] },
    sql: plus("3, 'NO', 'lost' UNION ALL SELECT 4, 'NO', NULL"),
    rows: 1,
    sample: [["lost", "1"]],
  },
  relationships: {
    test: { kind: "relationships", column: "country", to: { schema: "main", name: "countries", column: "code" } },
    sql: plus("3, 'XX', 'paid' UNION ALL SELECT 4, NULL, 'paid'"),
    rows: 1,
    sample: [["XX", "1"]],
  },
  row_count: { test: { kind: "row_count", min: 2, max: 2 }, sql: plus("3, 'NO', 'paid'"), rows: 1, sample: [["3"]] },
  sql: {
    test: { kind: "sql", sql: "SELECT o.id FROM orders AS o JOIN totals AS t ON o.id > t.orders" },
    sql: plus("3, 'NO', 'paid'"),
    rows: 1,
    sample: [["3"]],
  },
};

const run = (sql: string, tests: BuiltDataset["tests"]) =>
  lake.run({
    orders: { table: "orders", sql, tests: tests! },
    totals: { table: "totals", sql: "SELECT 2 AS orders, 'new' AS note", needs: ["orders"] },
  });

describe.each(Object.entries(BROKEN))("a test of the kind %s", (_, { test, sql, rows, sample }) => {
  it("keeps every table of the run as it was where rows fail it, and shows which", async () => {
    const before = lake.write.platform.snapshotId;
    const answer = await run(sql, [test]);
    expect(answer).toEqual({
      snapshotId: null,
      tests: [
        {
          ...{ dataset: "orders", index: 0, severity: "error", state: "failed", rows, error: null },
          sample: { columns: expect.any(Array), rows: sample },
        },
      ],
    });
    expect(lake.write.platform.snapshotId).toBe(before);
  });

  it("lets rows pass that satisfy it", async () => {
    const answer = await run(good, [test]);
    expect(answer.tests).toMatchObject([{ state: "passed" }]);
    expect(answer.snapshotId).not.toBeNull();
  });

  it("is only told where its severity is warn", async () => {
    const answer = await run(sql, [{ ...test, severity: "warn" }]);
    expect(answer.tests).toMatchObject([{ state: "failed", rows, sample: { rows: sample } }]);
    expect(answer.snapshotId).not.toBeNull();
    await run(good, []);
  });
});

describe("a test", () => {
  it("reads the table as it would be, and not the rows of the run alone", async () => {
    const merge = (sql: string) =>
      lake.run({
        t: { ...{ table: "merged", sql, mode: "merge", key: ["id"] }, tests: [{ kind: "unique", columns: ["name"] }] },
      });
    await merge("SELECT 1 AS id, 'a' AS name UNION ALL SELECT 2, 'b'");
    expect((await merge("SELECT 3 AS id, 'a' AS name")).tests).toMatchObject([{ state: "failed", rows: 1 }]);
    expect((await merge("SELECT 1 AS id, 'c' AS name UNION ALL SELECT 3, 'a'")).snapshotId).not.toBeNull();
  });

  it("that can't be run keeps the tables back, and says why", async () => {
    const answer = await run(good, [
      { kind: "not_null", columns: ["nowhere"] },
      { kind: "sql", sql: "DELETE FROM orders" },
    ]);
    expect(answer.snapshotId).toBeNull();
    expect(answer.tests).toMatchObject([
      { state: "broken", rows: null, error: expect.stringContaining("nowhere") },
      { state: "broken", rows: null, error: expect.stringContaining("changes the lake") },
    ]);
  });

  it("counts all rows that fail it, and shows no more than a sample of them", async () => {
    const answer = await lake.run({
      many: {
        ...{ table: "many", sql: "SELECT range AS id, repeat('x', 1000) AS text FROM range(1000)" },
        tests: [{ kind: "sql", sql: "SELECT * FROM many" }],
      },
    });
    const [{ rows, sample }] = answer.tests as [(typeof answer.tests)[number]];
    expect(rows).toBe(1000);
    expect(sample!.rows).toHaveLength(SAMPLE.rowsMax);
    expect(sample!.rows[0]![1]).toHaveLength(SAMPLE.charactersMax);
  });
});

describe("the results of tests", () => {
  const tests: NonNullable<BuiltDataset["tests"]> = [{ kind: "row_count", min: null, max: 1, severity: "warn" }];
  const publish = async (runId: string) => {
    const datasets = { orders: { table: "orders", sql: good, tests } };
    return lake.publish(datasets, await lake.stageAll(datasets, { runId }), { runId });
  };

  it("are in the bucket before the commit, as the answer has them", async () => {
    const { platform } = lake.write;
    const seen: string[] = [];
    let found: unknown;
    platform.onRequest = async (verb) => {
      seen.push(verb);
      if (verb === "commit") found = JSON.parse(await readFile(join(platform.bucket, "tests", "before"), "utf8"));
    };
    const answer = await publish("before").finally(() => (platform.onRequest = () => undefined));
    expect(seen.filter((verb) => verb === "put" || verb === "commit").slice(-2)).toEqual(["put", "commit"]);
    expect(found).toEqual(answer.tests);
    expect(answer.tests).toMatchObject([{ state: "failed", sample: { rows: [["2"]] } }]);
  });

  it("that can't be put there keep the tables from their commit", async () => {
    const { platform } = lake.write;
    const datasets = { orders: { table: "orders", sql: good, tests } };
    const stages = await lake.stageAll(datasets, { runId: "refused" });
    const before = platform.snapshotId;
    const nowhere = { runId: "refused", testsUrl: "http://127.0.0.1:9/tests" };
    await expect(lake.publish(datasets, stages, nowhere)).rejects.toMatchObject({ code: "platform_unavailable" });
    expect(platform.snapshotId).toBe(before);
  });
});
