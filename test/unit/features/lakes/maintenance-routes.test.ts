// What a maintenance job may ask of the platform, over the real catalog and the real bucket.

import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { CompactionPlan, MaintenanceStepAnswer } from "../../../../kernel/lake/maintenance.ts";
import { LAKE_CATALOG_LIMITS } from "../../../../src/lake/format/limits.ts";
import { valueOf } from "../../../../src/core/answer.ts";
import { formatInstant } from "../../../../src/lake/format/instant.ts";
import { lakePrefix, MAINTENANCE_LEASE } from "../../../../src/lake/lake.ts";
import { post } from "../../../support/unit/call-with.ts";
import {
  append,
  createTable,
  newLake,
  newWriter,
  overwrite,
  rowsOf,
  statistics,
  type TestLake,
} from "../../../support/unit/lake.ts";

const HOUR = 3_600_000;
const STEPS = ["expire", "delete", "collect", "statistics"];

/** A lake with a writer, and the job that maintains it. */
async function newMaintained() {
  const lake = newLake();
  const writer = await newWriter(lake);
  valueOf(await writer.commit([createTable("main", "t")]));
  const job = await newWriter(lake, MAINTENANCE_LEASE);
  const prefix = lakePrefix(lake.teamId, lake.lakeId);
  const ask = (step: string, body: object = {}, bindings: Partial<Env> = {}) =>
    post(`/jobs/${job.token.jobId}/maintenance/${step}`, { token: job.token, body, bindings });
  return {
    lake,
    writer,
    job,
    ask,
    step: async (...asked: Parameters<typeof ask>) => MaintenanceStepAnswer.parse((await ask(...asked)).body),
    put: (path: string) => env.BUCKET.put(prefix + path, "12345"),
    keys: async () => (await env.BUCKET.list({ prefix })).objects.map(({ key }) => key.slice(prefix.length)).sort(),
  };
}

/** The bucket as it is, but for its objects' ages: so many hours, by the end of their paths. */
const bucketOfAges = (ages: Record<string, number>): Partial<Env> => ({
  BUCKET: {
    delete: (keys: string[]) => env.BUCKET.delete(keys),
    async list(options?: R2ListOptions) {
      const page = await env.BUCKET.list(options);
      for (const object of page.objects) {
        const hours = Object.entries(ages).find(([end]) => object.key.endsWith(end))?.[1] ?? 0;
        Object.defineProperty(object, "uploaded", { value: new Date(Date.now() - hours * HOUR) });
      }
      return page;
    },
  } as unknown as R2Bucket,
});

/** Schedules a file as though this had happened `agoMs` ago. */
const schedule = (lake: TestLake, path: string, agoMs: number) =>
  rowsOf(
    lake,
    `UPDATE ducklake_files_scheduled_for_deletion SET schedule_start = '${formatInstant(Date.now() - agoMs)}'
      WHERE path = '${path}'`,
  );

const scheduled = (lake: TestLake) => rowsOf(lake, "SELECT path FROM ducklake_files_scheduled_for_deletion");

describe("a maintenance job's steps", () => {
  it("are no other job's to ask for", async () => {
    const { writer, lake } = await newMaintained();
    for (const step of ["plan", ...STEPS]) {
      const body = step === "plan" ? { step: "merge" } : {};
      const { status } = await post(`/jobs/${writer.token.jobId}/maintenance/${step}`, { token: writer.token, body });
      expect([step, status]).toEqual([step, 404]);
    }
    expect(await rowsOf(lake, "SELECT 1 FROM ducklake_snapshot")).toHaveLength(2);
  });

  it("are refused once another job has taken over", async () => {
    const { ask, job, lake } = await newMaintained();
    await lake.catalog.releaseLease(MAINTENANCE_LEASE, job.token.fence);
    for (const step of ["plan", ...STEPS])
      expect([step, (await ask(step, step === "plan" ? { step: "merge" } : {})).status]).toEqual([step, 409]);
  });

  it("take no place to go on from that they have not given", async () => {
    const { ask } = await newMaintained();
    expect((await ask("plan", { step: "merge", after: "garbage" })).status).toBe(422);
    expect((await ask("statistics", { after: "garbage" })).status).toBe(422);
  });
});

describe("the plan", () => {
  it("answers the files to write anew, and where the lake lies", async () => {
    const { ask, writer, lake } = await newMaintained();
    const files = Array.from({ length: 5 }, () => writer.file("main", "t", 10));
    for (const file of files) valueOf(await writer.commit([append("main", "t", file)]));
    const plan = CompactionPlan.parse((await ask("plan", { step: "merge" })).body);
    expect(plan).toMatchObject({ groups: [{ schema: "main", name: "t" }], leftAlone: [], next: null });
    expect(plan.groups[0]!.files.map(({ path }) => path)).toEqual(files.map(({ path }) => path));
    expect(plan.root).toBe(`s3://${env.BUCKET_NAME}/${lakePrefix(lake.teamId, lake.lakeId)}`);
    expect(CompactionPlan.parse((await ask("plan", { step: "rewrite" })).body).groups).toEqual([]);
  });
});

describe("expiry and deletion", () => {
  it("delete files when their grace is over, and no sooner, and say how many bytes", async () => {
    const { step, writer, lake, put, keys } = await newMaintained();
    const [first, second, third] = [3, 2, 1].map((rows) => writer.file("main", "t", rows));
    for (const { path } of [first!, second!, third!]) await put(path);
    for (const file of [first!, second!, third!]) valueOf(await writer.commit([overwrite("main", "t", file)]));
    await lake.catalog.expireSnapshots({ olderThanMs: Date.now() + HOUR });
    await schedule(lake, first!.path, LAKE_CATALOG_LIMITS.graceMs + HOUR);
    await schedule(lake, second!.path, LAKE_CATALOG_LIMITS.graceMs - HOUR);
    expect(await scheduled(lake)).toHaveLength(2);
    expect(await step("delete")).toEqual({ done: 1, files: 0, bytes: first!.bytes, next: null });
    expect(await keys()).toEqual([second!.path, third!.path].sort());
    expect(await step("delete")).toEqual({ done: 0, files: 0, bytes: 0, next: null });
    expect(await scheduled(lake)).toEqual([{ path: second!.path }]);
  });

  it("expires by the lake's own rules, which spare the newest", async () => {
    const { step, writer, lake } = await newMaintained();
    for (let rows = 1; rows <= 30; rows++)
      valueOf(await writer.commit([append("main", "t", writer.file("main", "t", rows))]));
    await rowsOf(lake, `UPDATE ducklake_snapshot SET snapshot_time = '${formatInstant(Date.now() - 90 * 24 * HOUR)}'`);
    valueOf(await lake.catalog.setOption("retain_last", "5"));
    await lake.catalog.releaseLease("test", writer.token.fence);
    expect(await step("expire")).toMatchObject({ next: null });
    expect(await rowsOf(lake, "SELECT 1 FROM ducklake_snapshot")).toHaveLength(5);
    expect(await step("expire")).toMatchObject({ done: 0, files: 0, bytes: 0, next: null });
  });
});

describe("the collection of orphans", () => {
  it("deletes what is old and nobody's, and counts its bytes; what a live job may name it leaves alone", async () => {
    const { ask, writer, job, put, keys } = await newMaintained();
    const named = writer.file("main", "t", 1);
    valueOf(await writer.commit([append("main", "t", named)]));
    const [held, own] = [writer.file("main", "t", 1), job.file("main", "t", 1)];
    const paths = [named.path, held.path, own.path, "main/t/old.parquet", "main/t/young.parquet"];
    for (const path of paths) await put(path);
    const ages = Object.fromEntries(paths.map((path) => [path, 100]));
    const answer = await ask("collect", {}, bucketOfAges({ ...ages, "main/t/young.parquet": 47 }));
    expect(MaintenanceStepAnswer.parse(answer.body)).toEqual({ done: 1, files: 0, bytes: 5, next: null });
    expect(await keys()).toEqual(paths.filter((path) => path !== "main/t/old.parquet").sort());
  });

  it("goes on behind the place it is given, and never outside the lake", async () => {
    const { step, ask, put, keys } = await newMaintained();
    for (const name of ["a", "b", "c"]) await put(`main/t/${name}.parquet`);
    const old = bucketOfAges({ ".parquet": 100 });
    expect(await step("collect", { after: "main/t/a.parquet" }, old)).toMatchObject({ done: 2, next: null });
    expect(await keys()).toEqual(["main/t/a.parquet"]);
    expect((await ask("collect", { after: "x".repeat(2_001) })).status).toBe(422);
  });
});

describe("statistics", () => {
  it("are made exact again, of a table that was overwritten", async () => {
    const { step, writer, lake } = await newMaintained();
    const file = (min: string, max: string) =>
      writer.file("main", "t", 2, { statistics: [statistics(1, 2, { min, max })] });
    valueOf(await writer.commit([append("main", "t", file("1", "900"))]));
    valueOf(await writer.commit([overwrite("main", "t", file("3", "4"))]));
    const bounds = () => rowsOf(lake, "SELECT min_value AS min, max_value AS max FROM ducklake_table_column_stats");
    const before = await bounds();
    const { done } = await step("statistics");
    expect(await bounds()).toEqual([{ min: "3", max: "4" }]);
    expect(done).toBe(JSON.stringify(before) === JSON.stringify(await bounds()) ? 0 : 1);
    expect(await step("statistics")).toEqual({ done: 0, files: 0, bytes: 0, next: null });
  });
});
