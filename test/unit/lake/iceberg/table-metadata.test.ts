import { expect, it } from "vitest";
import type { LakeColumn } from "../../../../kernel/lake/lake.ts";
import { SCALAR_TYPES } from "../../../../kernel/lake/lake-types.ts";
import { icebergFields, icebergType, type Profile } from "../../../../src/lake/iceberg/format/column-types.ts";
import { HIDDEN_COLUMNS, tableMetadata } from "../../../../src/lake/iceberg/format/table-metadata.ts";

const column = (id: number, name: string, type: string, children: LakeColumn[] = []): LakeColumn => ({
  ...{ id, name, type, nullable: true, children },
});

const FACTS = { operation: "append" as const, rows: 10, deletedRows: 0, bytes: 100, dataFiles: 1, deleteFiles: 0 };
const snapshot = (snapshotId: number, schemaId: number) => ({
  ...{ snapshotId, schemaId, atMs: 1_000 + snapshotId, list: `s3://b/t/${snapshotId}.avro`, facts: FACTS },
});

const table = (profile: Profile, columns: LakeColumn[]) =>
  tableMetadata({
    ...{ profile, failsByRow: false, uuid: "u", location: "s3://b/t" },
    lastColumnId: 9,
    schemas: [
      { schemaId: 1, columns: [column(1, "old", "int32")] },
      { schemaId: 2, columns },
    ],
    snapshots: [snapshot(3, 1), snapshot(7, 2)],
  });

it("the newest snapshot is the current one, each with its parent and its schema", () => {
  expect(table("full", [column(1, "id", "int64")])).toMatchObject({
    ...{ "format-version": 2, "current-snapshot-id": 7, "last-sequence-number": 7, "current-schema-id": 2 },
    snapshots: [
      { "snapshot-id": 3, "schema-id": 1 },
      { "snapshot-id": 7, "parent-snapshot-id": 3, "sequence-number": 7, "schema-id": 2 },
    ],
    schemas: [{ fields: [{ name: "old", type: "int" }] }, { fields: [{ id: 1, name: "id", type: "long" }] }],
    properties: {},
  });
});

it("columns without a safe type are left out and named", () => {
  const columns = [
    ...[column(1, "id", "int64"), column(2, "u", "uint64"), column(3, "at", "time")],
    column(4, "tags", "list", [column(5, "element", "varchar")]),
    column(6, "s", "struct", [column(7, "x", "int128")]),
    column(8, "ms", "timestamp_ms"),
    column(11, "small", "uint8"),
    column(9, "marks", "list", [column(10, "element", "timestamp_ms")]),
  ];
  const shown = (profile: Profile) => {
    const { schemas, properties } = table(profile, columns);
    return [schemas[1]!.fields.map(({ name }) => name), properties[HIDDEN_COLUMNS]];
  };
  expect(shown("full")).toEqual([["id", "at", "tags", "ms", "small", "marks"], '["u","s"]']);
  expect(shown("spark")).toEqual([["id", "tags"], '["u","at","s","ms","small","marks"]']);
});

it("Spark is shown the bytes of a UUID, whose comparison loses rows there", () => {
  const columns = [column(1, "id", "uuid"), column(2, "ids", "list", [column(3, "element", "uuid")])];
  const types = (profile: Profile) =>
    icebergFields(columns, { profile, failsByRow: false }).fields.map(({ type }) => type);
  expect(types("full")).toEqual(["uuid", expect.objectContaining({ element: "uuid" })]);
  expect(types("spark")).toEqual(["fixed[16]", expect.objectContaining({ element: "fixed[16]" })]);
});

it("Spark keeps columns with children but where its reader of rows fails at the table's files", () => {
  const tags = column(4, "tags", "list", [column(5, "element", "varchar")]);
  const hidden = (profile: Profile, failsByRow: boolean) => icebergFields([tags], { profile, failsByRow }).hidden;
  expect(hidden("spark", false)).toEqual([]);
  expect(hidden("spark", true)).toEqual(["tags"]);
  expect(hidden("full", true)).toEqual([]);
});

it("every type of the lake has one of Iceberg's, or none that is safe", () => {
  const types = Object.keys(SCALAR_TYPES).map((type) => [type, icebergType({ type, children: [] }, "full") ?? null]);
  expect(Object.fromEntries(types)).toMatchInlineSnapshot(`
    {
      "blob": "binary",
      "boolean": "boolean",
      "date": "date",
      "float32": "float",
      "float64": "double",
      "int128": null,
      "int16": "int",
      "int32": "int",
      "int64": "long",
      "int8": "int",
      "interval": null,
      "json": "string",
      "time": "time",
      "timestamp": "timestamp",
      "timestamp_ms": "timestamp",
      "timestamp_ns": null,
      "timestamp_s": "timestamp",
      "timestamptz": "timestamptz",
      "timetz": null,
      "uint128": null,
      "uint16": "int",
      "uint32": null,
      "uint64": null,
      "uint8": "int",
      "uuid": "uuid",
      "varchar": "string",
    }
  `);
  expect(icebergType({ type: "decimal(9,2)", children: [] }, "full")).toBe("decimal(9,2)");
  const map = [column(2, "key", "varchar"), column(3, "value", "int64")];
  expect(icebergType({ type: "map", children: map }, "full")).toMatchObject({
    type: "map",
    "key-id": 2,
    value: "long",
  });
});
