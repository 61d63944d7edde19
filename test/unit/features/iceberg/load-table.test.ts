import { env } from "cloudflare:workers";
import { expect, it, describe } from "vitest";
import { alter, append, column, compact, createTable, deleteRows, overwrite } from "../../../support/unit/lake.ts";
import { manifestsOf, newIcebergLake } from "../../../support/unit/iceberg/iceberg-lake.ts";

// biome-ignore lint/suspicious/noExplicitAny: Iceberg's documents are untyped here
type Entry = any;

const pathsOf = (manifests: Awaited<ReturnType<typeof manifestsOf>>): string[] =>
  manifests.flatMap(({ entries }) => entries.map((entry: Entry) => entry.data_file.file_path));

describe("loadIcebergTable", () => {
  it("answers metadata whose snapshots are the lake's, and which lies at its location", async () => {
    const lake = await newIcebergLake();
    const second = await lake.commit(append("main", "t", lake.writer.file("main", "t", 5)));
    const body = await lake.load();
    expect(body.metadata).toMatchObject({
      "format-version": 2,
      location: `${lake.root}main/t`,
      "current-snapshot-id": second,
      "last-sequence-number": second,
      refs: { main: { "snapshot-id": second, type: "branch" } },
      snapshots: [
        { "snapshot-id": 1, summary: { operation: "append", "total-records": "10" } },
        { "snapshot-id": second, "parent-snapshot-id": 1, summary: { "total-records": "15", "total-data-files": "2" } },
      ],
    });
    expect(body.metadata.schemas.at(-1).fields).toEqual([
      { id: 1, name: "a", required: false, type: "long" },
      { id: 2, name: "b", required: false, type: "long" },
    ]);
    const stored = await env.BUCKET.get(body["metadata-location"].replace(`s3://${env.BUCKET_NAME}/`, ""));
    expect(JSON.parse(await stored!.text())).toEqual(body.metadata);
  });

  it("names data files and delete files with the snapshots that they came with", async () => {
    const lake = await newIcebergLake();
    await lake.commit(append("main", "t", lake.writer.file("main", "t", 5)));
    const snapshotId = await lake.commit(
      deleteRows("main", "t", { dataFileId: 0, file: lake.writer.deletes("main", "t", 3) }),
    );
    const { metadata } = await lake.load();
    const [data, deletes] = await manifestsOf(lake, metadata);
    expect(data!.manifest).toMatchObject({
      content: 0,
      added_snapshot_id: 2,
      added_files_count: 1,
      added_rows_count: 5,
    });
    expect(data!.entries).toMatchObject([
      { status: 0, snapshot_id: 1, sequence_number: 1, file_sequence_number: 1, data_file: { record_count: 10 } },
      { status: 1, snapshot_id: 2, sequence_number: 2, data_file: { content: 0, record_count: 5 } },
    ]);
    const [of] = pathsOf([data!]);
    expect(deletes!.entries).toMatchObject([
      { snapshot_id: snapshotId, data_file: { content: 1, record_count: 3, referenced_data_file: of } },
    ]);
    const [bound] = deletes!.entries[0].data_file.lower_bounds;
    expect([bound.key, new TextDecoder().decode(bound.value)]).toEqual([2_147_483_546, of]);
    expect(metadata.snapshots.at(-1).summary).toMatchObject({ operation: "delete", "total-position-deletes": "3" });
    // An older snapshot knows nothing of what came later.
    expect(pathsOf(await manifestsOf(lake, metadata, 1))).toEqual([of]);
  });

  it("tells an overwrite, a compaction and a change of columns apart", async () => {
    const lake = await newIcebergLake();
    await lake.commit(overwrite("main", "t", lake.writer.file("main", "t", 4)));
    await lake.commit(append("main", "t", lake.writer.file("main", "t", 5)));
    await lake.commit(compact("main", "t", { data: [1, 2] }, lake.writer.file("main", "t", 9)));
    await lake.commit(alter("main", "t", { kind: "add_column", column: column(3, "c", "varchar") }));
    await lake.commit(alter("main", "t", { kind: "drop_column", id: 1 }));
    await lake.commit(alter("main", "t", { kind: "rename_column", id: 2, to: "bb" }));
    const { metadata } = await lake.load();
    expect(metadata.snapshots.map((each: Entry) => each.summary.operation)).toEqual([
      ...["append", "overwrite", "append", "replace", "replace", "replace", "replace"],
    ]);
    const fields = new Map(
      metadata.schemas.map((schema: Entry) => [schema["schema-id"], schema.fields.map(({ name }: Entry) => name)]),
    );
    expect(metadata.snapshots.map((each: Entry) => fields.get(each["schema-id"]))).toEqual([
      ...[
        ["a", "b"],
        ["a", "b"],
        ["a", "b"],
        ["a", "b"],
        ["a", "b", "c"],
        ["b", "c"],
        ["bb", "c"],
      ],
    ]);
    expect(fields.get(metadata["current-schema-id"])).toEqual(["bb", "c"]);
    expect(metadata["last-column-id"]).toBe(3);
  });

  it("leaves out columns without a safe type and names them", async () => {
    const columns = [
      ...[column(1, "id"), column(2, "u", "uint64"), column(3, "at", "time")],
      column(4, "tags", "list", [column(5, "element", "varchar")]),
      column(6, "s", "struct", [column(7, "x", "int128")]),
    ];
    const lake = await newIcebergLake(columns);
    const { metadata } = await lake.load();
    expect(metadata.schemas[0].fields.map(({ name }: Entry) => name)).toEqual(["id", "at", "tags"]);
    expect(metadata.properties["fjord.hidden-columns"]).toBe('["u","s"]');
    const spark = await lake.load("t", { warehouse: `${lake.lakeId}:spark` });
    expect(spark.metadata.schemas[0].fields.map(({ name }: Entry) => name)).toEqual(["id"]);
    expect(spark.metadata.properties["fjord.hidden-columns"]).toBe('["u","at","tags","s"]');
  });

  it("shows Spark no column with children where a column without signs went, for its files stay", async () => {
    const tags = column(2, "tags", "list", [column(3, "element", "varchar")]);
    const lake = await newIcebergLake([column(1, "id"), tags, column(4, "u", "uint8")]);
    await lake.commit(alter("main", "t", { kind: "drop_column", id: 4 }));
    const shown = async (warehouse: string): Promise<string[]> =>
      (await lake.load("t", { warehouse })).metadata.schemas.at(-1).fields.map(({ name }: Entry) => name);
    expect(await shown(lake.lakeId)).toEqual(["id", "tags"]);
    expect(await shown(`${lake.lakeId}:spark`)).toEqual(["id"]);
  });

  it("finds a table in any case of its name, and an empty one", async () => {
    const lake = await newIcebergLake();
    await lake.commit(createTable("main", "Empty"));
    const { metadata } = await lake.load("eMPTY");
    expect(await manifestsOf(lake, metadata)).toEqual([]);
    expect(metadata.snapshots).toMatchObject([{ "snapshot-id": 2, summary: { "total-records": "0" } }]);
  });

  it("names the newest hundred snapshots, and those before by no gap", async () => {
    const lake = await newIcebergLake();
    for (let i = 0; i < 101; i++) await lake.commit(append("main", "t", lake.writer.file("main", "t", 1)));
    const { metadata } = await lake.load();
    expect(metadata.snapshots).toHaveLength(100);
    expect(metadata.snapshots[0]).toMatchObject({ "snapshot-id": 3 });
    expect(metadata.snapshots[0]["parent-snapshot-id"]).toBeUndefined();
    expect(metadata.snapshots.at(-1).summary["total-records"]).toBe("111");
    expect((await manifestsOf(lake, metadata, 3)).flatMap(({ entries }) => entries)).toHaveLength(3);
  }, 60_000);

  it("answers 304 to who has what there is, and not once something was committed", async () => {
    const lake = await newIcebergLake();
    const { headers } = await lake.ask("/main/tables/t");
    const etag = headers.get("etag")!;
    const again = (tag: string) => lake.ask("/main/tables/t", { headers: { "if-none-match": tag } });
    expect((await again(etag)).status).toBe(304);
    expect((await again(`"other", W/${etag}`)).status).toBe(304);
    expect((await again('"other"')).status).toBe(200);
    await lake.commit(createTable("main", "elsewhere"));
    expect((await again(etag)).status).toBe(304);
    await lake.commit(append("main", "t", lake.writer.file("main", "t", 1)));
    expect((await again(etag)).status).toBe(200);
  });

  it("answers the current snapshot alone to who asks for refs", async () => {
    const lake = await newIcebergLake();
    await lake.commit(append("main", "t", lake.writer.file("main", "t", 5)));
    const { body, headers } = await lake.ask("/main/tables/t?snapshots=refs");
    expect(body.metadata.snapshots.map((each: Entry) => each["snapshot-id"])).toEqual([2]);
    const all = await lake.ask("/main/tables/t?snapshots=all", { headers: { "if-none-match": headers.get("etag")! } });
    expect(all.status).toBe(200);
  });
});
