import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BuildLake, type BuiltDataset } from "../../support/node/lake/build-lake.ts";

let lake: BuildLake;
beforeAll(async () => {
  lake = await BuildLake.open();
  await lake.write.ask("CREATE TABLE source (id INTEGER, changed TIMESTAMP, name VARCHAR)");
});
afterAll(() => lake.close());

const NEW = "SELECT * FROM source WHERE $since IS NULL OR changed > $since";
const MERGED: Record<string, BuiltDataset> = {
  copy: { table: "copy", sql: NEW, mode: "merge", key: ["id"], incremental: "changed" },
};
const LOGGED: Record<string, BuiltDataset> = {
  log: { table: "log", sql: NEW, mode: "append", incremental: "changed" },
};
const rows = (table: string) => lake.write.rows(`SELECT * FROM ${table} ORDER BY ALL`);
const insert = (...values: string[]) => lake.write.ask(`INSERT INTO source VALUES ${values.join(", ")}`);

const NEXT = "(SELECT coalesce(max(changed), TIMESTAMP '2026-01-01') + INTERVAL 1 DAY FROM source)";
const insertNext = (name: string) => insert(`((SELECT coalesce(max(id), 0) + 1 FROM source), ${NEXT}, '${name}')`);

describe("an incremental table", () => {
  it("reads all at its first run, and then what came since the committed watermark", async () => {
    await insert("(1, '2026-01-01 10:00:00', 'a')", "(2, '2026-01-02 10:00:00.123456', 'b')");
    await lake.run({ ...MERGED, ...LOGGED });
    expect(lake.watermark("copy")).toEqual({ type: "timestamp", value: "2026-01-02 10:00:00.123456" });
    await insert("(1, '2026-01-03', 'c')");
    expect((await lake.stageAll(MERGED))[0]!.staged.rows).toBe(1);
    await lake.run({ ...MERGED, ...LOGGED });
    expect(await rows("log")).toEqual(await rows("source"));
    expect(await rows("copy")).toMatchObject([
      { id: 1, name: "c" },
      { id: 2, name: "b" },
    ]);
  });

  it("keeps its watermark where nothing came", async () => {
    const before = lake.watermark("log");
    await lake.run(LOGGED);
    expect(lake.watermark("log")).toEqual(before);
    expect(await rows("log")).toEqual(await rows("source"));
  });

  it("is written once by two runs that read the same, and the other one is told", async () => {
    await insert("(5, '2026-02-01', 'e')");
    const expects = lake.notes(LOGGED);
    const [one, other] = [{ runId: lake.newRun() }, { runId: lake.newRun() }];
    const [stages, others] = [await lake.stageAll(LOGGED, one), await lake.stageAll(LOGGED, other)];
    await lake.publish(LOGGED, stages, { ...one, expects });
    await expect(lake.publish(LOGGED, others, { ...other, expects })).rejects.toMatchObject({
      code: "conflict",
      message: "Another run has built the tables meanwhile: what this one read is not new.",
    });
    expect(await rows("log")).toEqual(await rows("source"));
  });

  it("moves neither rows nor watermark where a test fails", async () => {
    await insert("(6, '2026-03-01', NULL)");
    const before = [lake.watermark("log"), await rows("log")];
    const tested = { log: { ...LOGGED.log!, tests: [{ kind: "not_null" as const, columns: ["name"] }] } };
    expect((await lake.run(tested)).snapshotId).toBeNull();
    expect([lake.watermark("log"), await rows("log")]).toEqual(before);
    await lake.run(LOGGED);
    expect(await rows("log")).toEqual(await rows("source"));
  });

  it("refuses a column that is not there, that has no order as text, or that holds infinity", async () => {
    const build = (sql: string, incremental: string) =>
      lake.run({ t: { table: "odd", sql: `${sql} WHERE $since IS NULL`, mode: "append", incremental } });
    await expect(build("SELECT 1 AS id", "gone")).rejects.toMatchObject({
      message: "The rows have no column gone, which the dataset's incremental names.",
    });
    await expect(build("SELECT 1.5::DOUBLE AS id", "id")).rejects.toMatchObject({
      message: expect.stringContaining("can't be followed"),
    });
    await expect(build("SELECT 'infinity'::TIMESTAMP AS changed", "changed")).rejects.toMatchObject({
      message: expect.stringContaining("holds infinity"),
    });
  });

  it.each<[string, Omit<BuiltDataset, "table">]>([
    ["replaced", { sql: "SELECT * FROM source" }],
    ["appended", { mode: "append", sql: "SELECT * FROM source WHERE changed > (SELECT max(changed) FROM appended)" }],
    ["merged", { mode: "merge", key: ["changed"], sql: "SELECT * FROM source" }],
  ])("that was %s without a watermark goes on from its own rows, and writes none twice", async (how, between) => {
    const dataset: Record<string, BuiltDataset> = { t: { ...LOGGED.log!, table: how } };
    await insertNext(how);
    await lake.run(dataset);
    await insertNext(how);
    await lake.run({ t: { ...between, table: how } });
    await lake.run(dataset);
    expect(await rows(how)).toEqual(await rows("source"));
    await insertNext(how);
    await lake.run(dataset);
    expect(await rows(how)).toEqual(await rows("source"));
  });

  it("is refused rows beside those of before, where these do not tell how far it has read; merged, it reads all", async () => {
    const log = (column: string): BuiltDataset => ({
      ...{ table: "untold", mode: "append", incremental: column },
      sql: "SELECT 1 AS id, DATE '2026-01-01' AS day WHERE $since IS NULL",
    });
    await lake.run({ t: { table: "untold", sql: "SELECT 1 AS id, NULL::DATE AS day" } });
    const refused = { message: expect.stringContaining("Build it once with mode replace") };
    await expect(lake.run({ t: log("day") })).rejects.toMatchObject(refused);
    await lake.run({ t: { table: "untold", sql: "SELECT 1 AS id" } });
    await expect(lake.run({ t: log("day") })).rejects.toMatchObject(refused);
    await lake.run({ t: { ...log("day"), mode: "merge", key: ["id"] } });
    expect(await rows("untold")).toMatchObject([{ id: 1 }]);
    await lake.run({ t: { table: "untold", sql: "SELECT 1 AS id WHERE false" } });
    await lake.run({ t: log("day") });
    expect(lake.watermark("untold")).toEqual({ type: "date", value: "2026-01-01" });
  });

  it.each([
    ["text", "'b'", "'c'"],
    ["integer", "41", "42"],
    ["decimal", "1.05::DECIMAL(9, 2)", "1.10::DECIMAL(9, 2)"],
    ["date", "DATE '2026-01-31'", "DATE '2026-02-01'"],
    ["timestamptz", "TIMESTAMPTZ '2026-01-31 12:00:00+01'", "TIMESTAMPTZ '2026-01-31 11:30:00+00'"],
  ])("follows a column of the type %s exactly", async (type, first, second) => {
    const table = `by_${type}`;
    const dataset = (all: string): Record<string, BuiltDataset> => ({
      t: {
        ...{ table, mode: "append", incremental: "changed" },
        sql: `SELECT * FROM (${all}) WHERE $since IS NULL OR changed > $since`,
      },
    });
    await lake.run(dataset(`SELECT ${first} AS changed`));
    expect(lake.watermark(table)).toMatchObject({ type });
    await lake.run(dataset(`SELECT ${first} AS changed`));
    await lake.run(dataset(`SELECT ${first} AS changed UNION ALL SELECT ${second}`));
    expect(await lake.write.rows(`SELECT count(*) AS n FROM ${table}`)).toEqual([{ n: 2 }]);
  });
});

/** Each step at which the engine asks the platform, or is asked nothing any more. */
const STEPS = ["writers", "describe", "plan", "get", "uploads", "put", "commit"] as const;

describe("a run whose engine dies", () => {
  /** Publishing that dies before the n-th request of this kind is answered, if there are so many. */
  async function dyingAt(verb: string, number: number, work: (signal: AbortSignal) => Promise<unknown>) {
    const death = new AbortController();
    let seen = 0;
    lake.write.platform.onRequest = (asked) => {
      if (asked === verb && ++seen === number) death.abort(new Error("The engine died."));
    };
    await work(death.signal).catch(() => undefined);
    lake.write.platform.onRequest = () => undefined;
  }

  it.each(STEPS)(
    "at the step %s leaves what was there or the whole, and its repeat writes nothing twice",
    async (step) => {
      const id = 100 + STEPS.indexOf(step);
      for (const number of [1, 2]) {
        await insert(`(${id}, '2026-04-${10 + 2 * STEPS.indexOf(step) + number}', 'at ${step} ${number}')`);
        const runId = lake.newRun();
        const both = { ...MERGED, ...LOGGED };
        const expects = lake.notes(both);
        await dyingAt(step, number, async (signal) => {
          const stages = await lake.stageAll(both, { runId, signal });
          await lake.publish(both, stages, { runId, signal, expects });
        });
        // Whether it was published or not: the next run reads on from the committed watermark.
        await lake.run(both);
        expect(await rows("log")).toEqual(await rows("source"));
      }
      expect(await rows("copy")).toContainEqual(expect.objectContaining({ id, name: `at ${step} 2` }));
    },
  );

  it("after the commit answers the repeat with the snapshot that it wrote", async () => {
    await insert("(200, '2026-06-01', 'late')");
    const [runId, expects] = [lake.newRun(), lake.notes(LOGGED)];
    const stages = await lake.stageAll(LOGGED, { runId });
    lake.write.platform.losingAnswers = 1;
    const { snapshotId } = await lake.publish(LOGGED, stages, { runId, expects });
    expect(snapshotId).toBe(lake.write.platform.snapshotId);
    expect(await rows("log")).toEqual(await rows("source"));
    // The run's key is known: a second sending begins nothing.
    await expect(lake.publish(LOGGED, stages, { runId, expects })).rejects.toMatchObject({ code: "conflict" });
    expect(await rows("log")).toEqual(await rows("source"));
  });
});
