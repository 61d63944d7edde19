import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { DuckDBInstance } from "@duckdb/node-api";
import { join } from "node:path";
import { Jobs } from "../../../containers/engine/jobs/jobs.ts";
import { workKinds } from "../../../containers/engine/jobs/work-kinds.ts";
import { readLakeSettings } from "../../../containers/engine/core/settings.ts";
import { writeParquet } from "../../../containers/engine/parquet/writer.ts";
import type { JobStatus } from "../../../kernel/jobs/work.ts";
import { column, TestLake } from "../../support/node/lake/test-lake.ts";
import { startInterceptingProxy } from "../../support/node/servers/intercepting-proxy.ts";

let lake: TestLake;
let jobs: Jobs;

beforeAll(async () => void (lake = await TestLake.open()));
beforeEach(async () => {
  await lake.renew();
  jobs = new Jobs({ platformUrl: lake.platform.url, s3Dial: lake.platform.host }, workKinds(readLakeSettings()));
});
afterEach(() => jobs.stop());
afterAll(() => lake.close());

const sample = (id: string) => ({
  id,
  token: "token",
  work: { kind: "load_sample", lakeId: "lake-1", schema: "sample" } as const,
});

async function ended(id: string): Promise<JobStatus> {
  await expect.poll(() => jobs.get(id)?.state, { timeout: 150_000 }).not.toBe("running");
  return jobs.get(id)!;
}

describe("load_sample", () => {
  it("puts four related tables of about a million rows into the lake by one commit, once", async () => {
    expect(jobs.start(sample("job-1"))).toMatchObject({ id: "job-1", state: "running" });
    expect(jobs.running).toBe(1);
    expect(await ended("job-1")).toMatchObject({ state: "succeeded", error: null });

    expect(lake.platform.commits).toHaveLength(1);
    const counts = await lake.rows(
      "SELECT (SELECT count(*) FROM sample.customers) AS customers, (SELECT count(*) FROM sample.products) AS products, (SELECT count(*) FROM sample.orders) AS orders, (SELECT count(*) FROM sample.order_items) AS items",
    );
    expect(counts[0]).toMatchObject({ customers: 20_000, products: 500 });
    expect(Number(counts[0]!.orders)).toBeGreaterThan(150_000);
    expect(Number(counts[0]!.items)).toBeGreaterThan(700_000);
    const orphans = await lake.rows(
      "SELECT count(*) FILTER (o.order_id IS NULL) AS orders, count(*) FILTER (c.customer_id IS NULL) AS customers, count(*) FILTER (p.product_id IS NULL) AS products FROM sample.order_items i " +
        "LEFT JOIN sample.orders o USING (order_id) LEFT JOIN sample.customers c USING (customer_id) LEFT JOIN sample.products p USING (product_id)",
    );
    expect(orphans).toEqual([{ orders: 0, customers: 0, products: 0 }]);
    expect(
      await lake.rows(
        "SELECT count(*) AS n FROM sample.orders JOIN sample.customers USING (customer_id) WHERE ordered_at < signed_up_at - INTERVAL 1 HOUR",
      ),
    ).toEqual([{ n: 0 }]);

    jobs.start(sample("job-2"));
    expect(await ended("job-2")).toMatchObject({ state: "succeeded" });
    expect(lake.platform.commits).toHaveLength(1);
  });

  it("writes the same rows every time", async () => {
    const statistics = async (id: string): Promise<unknown> => {
      lake.platform.commits.length = 0;
      lake.platform.tables.length = 0;
      jobs.start(sample(id));
      await ended(id);
      return lake.platform.commits[0]!.changes.map((change) =>
        change.kind === "append" ? change.files.map(({ rows, statistics }) => ({ rows, statistics })) : change,
      );
    };
    expect(await statistics("job-a")).toEqual(await statistics("job-b"));
  });

  it("ends soon after it is cancelled, and commits nothing", async () => {
    jobs.start(sample("job-1"));
    expect(jobs.cancel("job-1")).toBe(true);
    expect(await ended("job-1")).toMatchObject({ state: "cancelled" });
    expect(jobs.cancel("job-1")).toBe(false);
    expect(jobs.running).toBe(0);
    expect(lake.platform.commits).toHaveLength(0);
  });

  it("fails with a reason where the platform is not there", async () => {
    const lost = new Jobs({ platformUrl: "http://127.0.0.1:9", s3Dial: "" }, workKinds(readLakeSettings()));
    lost.start(sample("job-1"));
    await expect
      .poll(() => lost.get("job-1"), { timeout: 20_000 })
      .toMatchObject({
        state: "failed",
        error: "The lake's catalog could not be asked; try again.",
        platformAway: false,
      });
  });

  it("says that the platform was away, where it had been there before", async () => {
    const proxy = await startInterceptingProxy(Number(lake.platform.host.split(":")[1]));
    lake.platform.onPut = () => proxy.rule(() => 503);
    const cut = new Jobs(
      { platformUrl: `http://127.0.0.1:${proxy.port}`, s3Dial: lake.platform.host },
      workKinds(readLakeSettings()),
    );
    cut.start(sample("job-1"));
    await expect.poll(() => cut.get("job-1")?.state, { timeout: 150_000 }).toBe("failed");
    expect(cut.get("job-1")).toMatchObject({ platformAway: true });
    await cut.stop();
    proxy.close();
  });
});

describe("writeParquet", () => {
  it("gives every leaf its field id and bounds, and does not vouch for what it can't know", async () => {
    const instance = await DuckDBInstance.create(":memory:");
    const connection = await instance.connect();
    await connection.run("SET TimeZone = 'UTC'");
    const columns = [
      column(1, "id", "int64"),
      column(2, "s", "struct", [column(3, "a", "int32"), column(4, "l", "list", [column(5, "element", "varchar")])]),
      column(6, "f", "float64"),
      column(7, "at", "timestamptz"),
    ];
    const file = join(lake.platform.directory, "written.parquet");
    const select =
      "SELECT range AS id, {'a': range, 'l': ['x' || range]} AS s, range / 2 AS f, " +
      "TIMESTAMPTZ '2026-01-01 00:00:00+00' AS at FROM range(10)";
    const written = await writeParquet(connection, { select, columns }, file);
    expect(written).toMatchObject({ rows: 10 });
    expect(written!.statistics.map(({ columnId }) => columnId)).toEqual([1, 3, 5, 6, 7]);
    expect(written!.statistics[0]).toMatchObject({ min: "0", max: "9", nulls: 0, values: 10, containsNan: false });
    expect(written!.statistics[3]).toMatchObject({ containsNan: null });
    expect(written!.statistics[4]).toMatchObject({ min: "2026-01-01 00:00:00+00" });
    lake.platform.addTable("main", "written", columns, [{ path: "written.parquet" }]);
    expect(await lake.rows("SELECT * FROM written LIMIT 1")).toEqual([
      { id: 0, s: { a: 0, l: ["x0"] }, f: 0, at: "2026-01-01T00:00:00Z" },
    ]);
    const none = "SELECT 1 AS id, NULL AS s, 1 AS f, NULL AS at WHERE false";
    expect(await writeParquet(connection, { select: none, columns }, file)).toBeUndefined();
    connection.closeSync();
    instance.closeSync();
  });
});
