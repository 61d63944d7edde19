// The objects of Iceberg's metadata, from when they are written until they are deleted.

import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import type { NewDataFile } from "../../../../kernel/lake/commit.ts";
import { openClients } from "../../../../src/clients/clients.ts";
import { deleteDueFiles, deleteOrphans } from "../../../../src/features/lakes/objects/delete-objects.ts";
import { append, compact, createTable, deleteRows, overwrite, statistics } from "../../../support/unit/lake.ts";
import { manifestsOf, newIcebergLake, type IcebergLake } from "../../../support/unit/iceberg/iceberg-lake.ts";

const DAY = 86_400_000;

const objectsOf = async ({ root }: IcebergLake): Promise<string[]> => {
  const { objects } = await env.BUCKET.list({
    prefix: `${root.replace(`s3://${env.BUCKET_NAME}/`, "")}main/t/metadata/`,
  });
  return objects.map(({ key }) => key.slice(key.lastIndexOf("/") + 1)).sort();
};

const manyFiles = ({ writer }: IcebergLake, count: number): NewDataFile[] =>
  Array.from({ length: count }, () => writer.file("main", "t", 1));

describe("the objects of a table's metadata", () => {
  it("are a manifest for each 500 files, of which a commit writes the last alone", async () => {
    const lake = await newIcebergLake();
    await lake.commit(append("main", "t", ...manyFiles(lake, 1_200)));
    const before = await manifestsOf(lake, (await lake.load()).metadata);
    expect(before.map(({ entries }) => entries.length)).toEqual([500, 500, 201]);
    const known = await objectsOf(lake);
    await lake.commit(append("main", "t", ...manyFiles(lake, 3)));
    const after = await manifestsOf(lake, (await lake.load()).metadata);
    expect(after.map(({ entries }) => entries.length)).toEqual([500, 500, 204]);
    const paths = (manifests: typeof before) => manifests.map(({ manifest }) => manifest.manifest_path);
    expect(paths(after).slice(0, 2)).toEqual(paths(before).slice(0, 2));
    const added = (await objectsOf(lake)).filter((name) => !known.includes(name));
    expect(added.map((name) => name.split("-")[0])).toEqual(["data", "list", "metadata"]);
    // A delete takes part in the manifests of one range, and leaves the files' as they are.
    await lake.commit(deleteRows("main", "t", { dataFileId: 7, file: lake.writer.deletes("main", "t", 1) }));
    const deleted = await manifestsOf(lake, (await lake.load()).metadata);
    expect(paths(deleted).slice(0, 3)).toEqual(paths(after));
    expect(deleted[3]!.entries).toHaveLength(1);
    // So does a compaction of some of them.
    await lake.commit(compact("main", "t", { data: [1, 2, 3] }, lake.writer.file("main", "t", 3)));
    const compacted = await manifestsOf(lake, (await lake.load()).metadata);
    expect(compacted.map(({ entries }) => entries.length)).toEqual([497, 500, 205, 1]);
    expect(paths(compacted)[1]).toBe(paths(after)[1]);
  });

  it("are written once, however many load the table at once", async () => {
    const lake = await newIcebergLake();
    const loads = await Promise.all(Array.from({ length: 5 }, () => lake.load()));
    expect(new Set(loads.map((each) => each["metadata-location"])).size).toBe(1);
    expect(await objectsOf(lake)).toHaveLength(3);
    await lake.load();
    expect(await objectsOf(lake)).toHaveLength(3);
  });

  it("are spared by every sweep until their snapshot expires, and go after the grace", async () => {
    const lake = await newIcebergLake();
    const first = await lake.load();
    const clients = openClients(env);
    const sweep = () => deleteOrphans(clients, lake, { beforeMs: Date.now() + DAY, afterKey: null });
    await env.BUCKET.put(`${lake.root.replace(`s3://${env.BUCKET_NAME}/`, "")}main/t/metadata/left-over.avro`, "x");
    await sweep();
    expect(await objectsOf(lake)).toHaveLength(3);
    await lake.commit(append("main", "t", lake.writer.file("main", "t", 2)));
    await lake.load();
    await lake.catalog.expireSnapshots({ olderThanMs: Date.now() + DAY });
    const live = await lake.load();
    expect(live.metadata.snapshots).toHaveLength(1);
    // What was named before still lies there for whoever reads it.
    const [old] = first.metadata.snapshots;
    await sweep();
    expect((await lake.read(old["manifest-list"])).rows).toHaveLength(1);
    await deleteDueFiles(clients, lake, Date.now() + 100 * DAY);
    await sweep();
    await expect(lake.read(old["manifest-list"])).rejects.toThrow("not there");
    expect(await manifestsOf(lake, live.metadata)).toMatchObject([{ entries: [{}, {}] }]);
    expect((await objectsOf(lake)).map((name) => name.split("-")[0])).toEqual(["data", "list", "metadata"]);
  });

  it("are one document of metadata a profile, however often it is loaded between commits", async () => {
    const lake = await newIcebergLake();
    for (let i = 0; i < 3; i++) {
      await lake.commit(append("main", "t", lake.writer.file("main", "t", 1)));
      await lake.load();
    }
    const documents = async () => (await objectsOf(lake)).filter((name) => name.startsWith("metadata-"));
    expect(await documents()).toHaveLength(3);
    await deleteDueFiles(openClients(env), lake, Date.now() + 100 * DAY);
    const [left, ...others] = await documents();
    expect(others).toEqual([]);
    expect((await lake.load())["metadata-location"]).toContain(left);
  });

  it("are counted by a dry run among the files that would go", async () => {
    const lake = await newIcebergLake();
    await lake.catalog.setOption("retain_last", "1");
    await lake.load();
    await lake.commit(append("main", "t", lake.writer.file("main", "t", 2)));
    await lake.load();
    await lake.commit(createTable("main", "gone"));
    await lake.load("gone");
    await lake.commit({ kind: "drop_table", schema: "main", name: "gone" });
    const nowMs = Date.now() + 100 * DAY;
    const dry = await lake.catalog.dryRunMaintenance("full", 10, nowMs);
    // A list and a manifest of the first version; a list and the metadata of the table that is gone.
    expect(dry.expire).toMatchObject({ files: 4, bytes: expect.any(Number) });
    expect(await lake.catalog.expireDue(nowMs)).toEqual({ ...dry.expire, isMore: false });
    expect((await lake.catalog.dryRunMaintenance("full", 10, nowMs)).expire).toMatchObject({ files: 0, bytes: 0 });
  });

  it("of an expired version are not taken for another's, nor is half of its files written", async () => {
    const lake = await newIcebergLake();
    const asked = { schema: "main", name: "t", tableId: 1, version: 1 };
    const plan = await lake.catalog.planIcebergManifests(asked, "everything");
    if (!plan.ok) throw new Error(plan.refusal.detail);
    const [{ objectId, content } = { objectId: 0, content: {} }] = plan.value.manifests;
    expect(content).toEqual({ fileIds: [0] });
    await lake.commit(overwrite("main", "t", lake.writer.file("main", "t", 4)));
    await lake.catalog.expireSnapshots({ olderThanMs: Date.now() + DAY });
    const rows = await lake.catalog.readIcebergFiles({ ...asked, kind: "data", fileIds: [0] }, "everything");
    expect(rows).toMatchObject({ ok: true, value: { files: [] } });
    expect(await lake.catalog.keepIcebergObjects([{ objectId, bytes: 1, facts: "{}" }])).toBe(false);
    const { metadata } = await lake.load();
    expect(await manifestsOf(lake, metadata)).toMatchObject([{ entries: [{ data_file: { record_count: 4 } }] }]);
  });

  it("stay while an older snapshot expires under a table that does not change", async () => {
    const lake = await newIcebergLake();
    const { metadata } = await lake.load();
    await lake.commit(createTable("main", "other"));
    await lake.catalog.expireSnapshots({ olderThanMs: Date.now() + DAY });
    const later = (await lake.load()).metadata;
    expect(later.snapshots).toMatchObject([
      { "snapshot-id": 2, "manifest-list": metadata.snapshots[0]["manifest-list"] },
    ]);
    await deleteDueFiles(openClients(env), lake, Date.now() + 100 * DAY);
    expect(await manifestsOf(lake, later)).toMatchObject([{ entries: [{ snapshot_id: 1 }] }]);
    // The metadata of the same version took the place of the one before.
    expect(await objectsOf(lake)).toHaveLength(3);
  });

  it("are written anew where an expiry ended them while they were being written", async () => {
    const lake = await newIcebergLake();
    const plan = await lake.catalog.planIcebergManifests(
      { schema: "main", name: "t", tableId: 1, version: 1 },
      "everything",
    );
    if (!plan.ok) throw new Error(plan.refusal.detail);
    await lake.commit(append("main", "t", lake.writer.file("main", "t", 2)));
    await lake.catalog.expireSnapshots({ olderThanMs: Date.now() + DAY });
    const written = [{ objectId: plan.value.list.objectId, bytes: 1, facts: "{}" }];
    expect(await lake.catalog.keepIcebergObjects(written)).toBe(false);
    expect((await lake.load()).metadata.snapshots).toHaveLength(1);
  });

  it("say of each column what is known exactly, and nothing else", async () => {
    const lake = await newIcebergLake();
    const known = { min: "-5", max: "300", nulls: 2 };
    const file = lake.writer.file("main", "t", 10, {
      statistics: [statistics(1, 10, known), statistics(2, 10, { min: "1", max: null })],
    });
    await lake.commit(append("main", "t", file));
    const [data] = await manifestsOf(lake, (await lake.load()).metadata);
    const of = data!.entries[1].data_file;
    const long = (value: bigint) => new Uint8Array(new BigInt64Array([value]).buffer);
    expect(of.lower_bounds).toEqual([{ key: 1, value: long(-5n) }]);
    expect(of.upper_bounds).toEqual([{ key: 1, value: long(300n) }]);
    expect(of.null_value_counts).toEqual([
      { key: 1, value: 2 },
      { key: 2, value: 0 },
    ]);
  });
});
