// How long maintenance keeps a large catalog's one thread. Times are told; the one that is promised is held.

import { describe, expect, it } from "vitest";
import type { StatisticsStep } from "../../../../src/lake/maintenance/exact-statistics.ts";
import { valueOf } from "../../../../src/core/answer.ts";
import { column, createTable, inside, newLake, newWriter } from "../../../support/unit/lake.ts";

const TABLES = 20;
const LIVE_FILES = 100_000;
const SNAPSHOTS = 10_000;
/** That each of the old snapshots ended: data files, and of each the statistics of ten columns. */
const ENDED_FILES = 2;
const COLUMNS = Array.from({ length: 10 }, (_, at) => column(at + 1, `c${at}`));
const OLD = Date.UTC(2000, 0, 1);

/** What the clock shows after each call is the whole of it: it stands still while the object computes. */
async function timed<Value>(what: string, work: () => Promise<Value>): Promise<{ value: Value; ms: number }> {
  const startedAt = performance.now();
  const value = await work();
  const ms = performance.now() - startedAt;
  console.log(`${what}: ${ms.toFixed(0)} ms`);
  return { value, ms };
}

/** A lake as years leave it: a hundred thousand small files, and a history that nobody ever expired. */
async function newOldLake() {
  const lake = newLake();
  const engine = await newWriter(lake, "maintenance");
  for (let table = 0; table < TABLES; table++)
    valueOf(await engine.commit([createTable("main", `t${table}`, COLUMNS)]));
  await inside(lake, ({ storage: { sql } }) => {
    const numbers = (count: number) => `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n LIMIT ${count})`;
    const file = (id: string, begins: string, ends: string) =>
      `INSERT INTO ducklake_data_file SELECT ${id}, 1 + i % ${TABLES}, ${begins}, ${ends}, ${id}, 'f' || ${id}, 1, 'parquet', 100, 50000, 100, i * 100,
         NULL, NULL, NULL, NULL FROM n`;
    sql.exec("UPDATE ducklake_table SET begin_snapshot = 0");
    sql.exec("UPDATE ducklake_snapshot SET snapshot_time = '1999-01-01 00:00:00.000+00'");
    sql.exec(`${numbers(SNAPSHOTS)} INSERT INTO ducklake_snapshot
      SELECT 100 + i, strftime('%Y-%m-%d %H:%M:%f+00', '2000-01-01', i || ' minutes'), 1, 1000, 10000000 FROM n`);
    sql.exec(
      `${numbers(SNAPSHOTS)} INSERT INTO ducklake_snapshot_changes SELECT 100 + i, 'deleted_from_table:1', NULL, NULL, NULL FROM n`,
    );
    sql.exec(`${numbers(SNAPSHOTS * ENDED_FILES)} ${file("i", `99 + i / ${ENDED_FILES}`, `100 + i / ${ENDED_FILES}`)}`);
    sql.exec(`${numbers(SNAPSHOTS)} INSERT INTO ducklake_delete_file
      SELECT 5000000 + i, 1 + i % ${TABLES}, 99 + i, 100 + i, i, 'd' || i, 1, 'parquet', 5, 500, 50, NULL, NULL FROM n`);
    sql.exec(`${numbers(LIVE_FILES)} ${file("1000000 + i", "50", "NULL")}`);
    sql.exec("INSERT INTO ducklake_table_stats SELECT table_id, 0, 0, 0 FROM ducklake_table");
    for (const { id } of COLUMNS)
      sql.exec(`INSERT INTO ducklake_file_column_stats
        SELECT data_file_id, table_id, ${id}, 400, 100, 0, data_file_id, data_file_id, NULL, NULL FROM ducklake_data_file`);
  });
  return { ...lake, engine };
}

describe("maintenance of a lake of 100,000 files and 10,000 old snapshots", () => {
  it("takes the catalog's time a little at a time, and expires the snapshots in less than ten seconds", async () => {
    const { engine, catalog } = await newOldLake();
    const { value: figures } = await timed("figures", () => catalog.measure(100, OLD));
    expect([figures.tables, figures.total.files]).toEqual([TABLES, LIVE_FILES]);
    const { value: dry } = await timed("dry run", () => catalog.dryRunMaintenance("full", 100));
    expect(dry).toMatchObject({ merge: { total: { files: LIVE_FILES } }, expire: { snapshots: SNAPSHOTS + 1 } });
    const { value: plan } = await timed("plan", async () =>
      valueOf(await catalog.planCompaction(engine.token, { step: "merge" })),
    );
    expect(plan.groups.flatMap(({ files }) => files)).toHaveLength(5_000);

    // Its own plan keeps what is from then on.
    await catalog.releaseLease("maintenance", engine.token.fence);
    const [steps, total] = [[] as number[], { snapshots: 0, files: 0 }];
    for (let isMore = true; isMore; ) {
      const { value, ms } = await timed("step of expiry", async () => await catalog.expireDue());
      steps.push(ms);
      total.snapshots += value.snapshots;
      total.files += value.files;
      ({ isMore } = value);
    }
    expect(total).toEqual({ snapshots: dry.expire!.snapshots, files: dry.expire!.files });
    const [sum, longest] = [steps.reduce((sum, ms) => sum + ms, 0), Math.max(...steps)];
    console.log(
      `expiry of ${total.snapshots} snapshots and ${total.files} files: ${sum.toFixed(0)} ms, ${longest.toFixed(0)} ms at most a step`,
    );
    expect(sum).toBeLessThan(10_000);

    let [corrected, after] = [0, null as string | null];
    do {
      const from = after;
      const step = async (): Promise<StatisticsStep> => valueOf(await catalog.makeStatisticsExact(from));
      const { value } = await timed("step of statistics", step);
      corrected += value.tables;
      after = value.next;
    } while (after !== null);
    expect(corrected).toBeGreaterThanOrEqual(TABLES);
  });
});
