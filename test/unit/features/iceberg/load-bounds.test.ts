// A load of a table that nobody has loaded before writes so much and no more; the next ones come to the rest.

import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { alter, append, column, overwrite, statistics } from "../../../support/unit/lake.ts";
import { manifestsOf, newIcebergLake, type IcebergLake } from "../../../support/unit/iceberg/iceberg-lake.ts";

const FILES_OF_TWO_MANIFESTS = 501;
const COLUMNS_MAX = 2_000;
/** A table's forty newest snapshots have a million files to look at. */
const FILES_OF_A_FORTIETH = 25_000;
const SNAPSHOTS_OF_A_MILLION = 40;
const FILES_PER_COMMIT = 5_000;

/** How many objects of each kind lie in the table's folder. */
async function countObjects({ root }: IcebergLake): Promise<Record<string, number>> {
  const prefix = `${root.replace(`s3://${env.BUCKET_NAME}/`, "")}main/t/metadata/`;
  const { objects } = await env.BUCKET.list({ prefix });
  const kinds = Map.groupBy(objects, ({ key }) => key.slice(prefix.length).split("-")[0]!);
  return Object.fromEntries([...kinds].map(([kind, { length }]) => [kind, length]));
}

it("a load writes a hundred manifests of older snapshots, the newest ones first, and another load the rest", async () => {
  const lake = await newIcebergLake();
  const replace = (files: number) =>
    lake.commit(overwrite("main", "t", ...Array.from({ length: files }, () => lake.writer.file("main", "t", 1))));
  for (let i = 0; i < 51; i++) await replace(FILES_OF_TWO_MANIFESTS);
  await replace(1);
  const newest = await replace(1);

  // A snapshot that is older by 49 has a manifest of two, which is of no use to a client yet.
  const { metadata } = await lake.load();
  expect(metadata.snapshots).toHaveLength(51);
  expect(metadata["current-snapshot-id"]).toBe(newest);
  expect(metadata.snapshots[0]["parent-snapshot-id"]).toBeUndefined();
  expect(await countObjects(lake)).toEqual({ data: 1 + 100, list: 51, metadata: 1 });

  const { headers } = await lake.ask("/main/tables/t");
  const whole = (await lake.load()).metadata;
  expect(whole.snapshots).toHaveLength(54);
  expect(await countObjects(lake)).toMatchObject({ data: 1 + 1 + 2 * 51 + 1, list: 54 });
  const [first] = await manifestsOf(lake, whole, 1);
  expect(first!.entries).toHaveLength(1);
  const again = await lake.ask("/main/tables/t", { headers: { "if-none-match": headers.get("etag")! } });
  expect(again.status).toBe(304);
}, 120_000);

it("a load looks at a million files of older snapshots, and another load at the rest", async () => {
  const lake = await newIcebergLake();
  const add = (files: number) =>
    lake.commit(append("main", "t", ...Array.from({ length: files }, () => lake.writer.file("main", "t", 1))));
  for (let files = 0; files < FILES_OF_A_FORTIETH; files += FILES_PER_COMMIT) await add(FILES_PER_COMMIT);
  for (let i = 0; i < SNAPSHOTS_OF_A_MILLION + 5; i++) await add(1);

  const { metadata } = await lake.load();
  expect(metadata.snapshots).toHaveLength(1 + SNAPSHOTS_OF_A_MILLION);
  const whole = (await lake.load()).metadata;
  expect(whole.snapshots.at(-1)).toEqual(metadata.snapshots.at(-1));
  expect(whole.snapshots.length).toBeGreaterThan(SNAPSHOTS_OF_A_MILLION + 5);
}, 120_000);

it("a table of many columns has statistics of the first hundred, and names the snapshots that there is room for", async () => {
  const columns = Array.from({ length: COLUMNS_MAX }, (_, index) => column(index + 1, `c${index}`, "varchar"));
  const lake = await newIcebergLake(columns);
  const bounds = { min: "a", max: "b" };
  const known = [statistics(1, 3, bounds), statistics(2, 3, { min: "a", max: "b".repeat(200) })];
  const beyond = [statistics(100, 3, bounds), statistics(101, 3, bounds), statistics(COLUMNS_MAX, 3, bounds)];
  await lake.commit(append("main", "t", lake.writer.file("main", "t", 3, { statistics: [...known, ...beyond] })));
  const renamed: number[] = [];
  for (let i = 0; i < 5; i++)
    renamed.push(await lake.commit(alter("main", "t", { kind: "rename_column", id: 7, to: `renamed_${i}` })));

  // Five schemas of two thousand columns, and not the one before any was renamed.
  const { metadata } = await lake.load();
  expect(metadata.snapshots.map((each: Record<string, unknown>) => each["snapshot-id"])).toEqual(renamed);
  expect(metadata.schemas).toHaveLength(5);
  const [manifest] = await manifestsOf(lake, metadata);
  const { value_counts: counted, lower_bounds: bounded } = manifest!.entries[1].data_file;
  const keysOf = (pairs: { key: number }[]) => pairs.map(({ key }) => key);
  expect([keysOf(counted), keysOf(bounded)]).toEqual([
    [1, 2, 100],
    [1, 100],
  ]);
}, 60_000);
