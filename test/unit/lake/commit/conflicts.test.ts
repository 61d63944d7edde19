import { describe, expect, it } from "vitest";
import fc from "fast-check";
import { valueOf } from "../../../../src/core/answer.ts";
import { formatChanges, parseChanges, type Change } from "../../../../src/lake/format/change-text.ts";
import { findConflict, type Intent } from "../../../../src/lake/commit/conflicts.ts";
import { append, createTable, inside, newLake, newWriter, rowsOf, type TestLake } from "../../../support/unit/lake.ts";

describe("the text of a snapshot's changes", () => {
  it("quotes names as SQL does", () => {
    const changes: Change[] = [
      { kind: "created_schema", schema: 'a,"b"' },
      { kind: "created_table", schema: "main", name: "x.y" },
      { kind: "inserted_into_table", id: 12 },
    ];
    expect(formatChanges(changes)).toBe('created_schema:"a,""b""",created_table:"main"."x.y",inserted_into_table:12');
  });

  it("is read back as it was written, whatever the names", () => {
    const name = fc.string({ unit: "grapheme" });
    const change = fc.oneof(
      fc.record({ kind: fc.constant("created_schema" as const), schema: name }),
      fc.record({ kind: fc.constantFrom("created_table" as const, "created_view" as const), schema: name, name }),
      fc.record({
        kind: fc.constantFrom("dropped_table", "altered_table", "inserted_into_table", "compacted_table"),
        id: fc.nat(),
      }),
    );
    fc.assert(
      fc.property(fc.array(change, { minLength: 1 }), (changes) => {
        expect(parseChanges(formatChanges(changes))).toEqual(changes);
      }),
    );
  });

  it("that can't be read is an error, not an absence of conflicts", () => {
    expect(() => parseChanges("dropped_table")).toThrow();
    expect(() => parseChanges('created_table:"main".t')).toThrow();
  });
});

describe("a change since the base", () => {
  const create: Intent = { kind: "create", schema: "main", schemaId: 0, name: "t" };
  const insert: Intent = { kind: "insert", schema: "main", name: "t", tableId: 5 };
  const others: [Change, conflicts: { create: boolean; append: boolean }][] = [
    [
      { kind: "created_table", schema: "MAIN", name: "T" },
      { create: true, append: true },
    ],
    [
      { kind: "created_view", schema: "main", name: "t" },
      { create: true, append: true },
    ],
    [
      { kind: "created_table", schema: "other", name: "t" },
      { create: false, append: false },
    ],
    [
      { kind: "created_schema", schema: "main" },
      { create: false, append: false },
    ],
    [
      { kind: "dropped_schema", id: 0 },
      { create: true, append: false },
    ],
    [
      { kind: "dropped_schema", id: 9 },
      { create: false, append: false },
    ],
    [
      { kind: "dropped_table", id: 5 },
      { create: false, append: true },
    ],
    [
      { kind: "altered_table", id: 5 },
      { create: false, append: true },
    ],
    [
      { kind: "deleted_from_table", id: 5 },
      { create: false, append: true },
    ],
    [
      { kind: "inserted_into_table", id: 5 },
      { create: false, append: false },
    ],
    [
      { kind: "compacted_table", id: 5 },
      { create: false, append: false },
    ],
    [
      { kind: "merge_adjacent", id: 5 },
      { create: false, append: false },
    ],
    [
      { kind: "dropped_table", id: 6 },
      { create: false, append: false },
    ],
    [
      { kind: "altered_view", id: 5 },
      { create: false, append: false },
    ],
  ];

  it.each(others.map(([other, expected]) => [formatChanges([other]), other, expected] as const))(
    "%s stands against what it should, alone",
    (_, other, expected) => {
      expect(findConflict([create], [other]) !== undefined).toBe(expected.create);
      expect(findConflict([insert], [other]) !== undefined).toBe(expected.append);
    },
  );
});

/** Another writer's snapshot, as DuckDB itself could have written it. */
const addSnapshot = (lake: TestLake, changes: string): Promise<void> =>
  inside(lake, ({ storage: { sql } }) => {
    sql.exec(
      "INSERT INTO ducklake_snapshot SELECT snapshot_id + 1, snapshot_time, schema_version, next_catalog_id, next_file_id FROM ducklake_snapshot ORDER BY snapshot_id DESC LIMIT 1",
    );
    sql.exec(
      "INSERT INTO ducklake_snapshot_changes (snapshot_id, changes_made) SELECT max(snapshot_id), ? FROM ducklake_snapshot",
      changes,
    );
  });

describe("two commits from one base", () => {
  const conflict = { ok: false, refusal: { code: "resource_conflict" } };

  it("that create the same table: the second is refused, whatever the case of its name", async () => {
    const lake = newLake();
    const writer = await newWriter(lake);
    await writer.commit([createTable("main", "t")], { baseSnapshotId: 0 });
    expect(await writer.commit([createTable("Main", "T")], { baseSnapshotId: 0 })).toMatchObject(conflict);
    expect(await writer.commit([createTable("main", "t")])).toMatchObject(conflict);
  });

  it("that create tables in the same new schema both succeed", async () => {
    const lake = newLake();
    const writer = await newWriter(lake);
    await writer.commit([createTable("s", "t")], { baseSnapshotId: 0 });
    expect(await writer.commit([createTable("s", "u")], { baseSnapshotId: 0 })).toMatchObject({ ok: true });
    expect(await rowsOf(lake, "SELECT schema_name FROM ducklake_schema ORDER BY schema_id")).toEqual([
      { schema_name: "main" },
      { schema_name: "s" },
    ]);
  });

  it("that append to the same table both succeed", async () => {
    const writer = await newWriter(newLake());
    await writer.commit([createTable("main", "t")]);
    const appendOne = () => writer.commit([append("main", "t", writer.file("main", "t", 1))], { baseSnapshotId: 1 });
    expect(await Promise.all([appendOne(), appendOne()])).toMatchObject([{ ok: true }, { ok: true }]);
  });

  it.each(["altered_table:1", "deleted_from_table:1", 'created_table:"main"."u",altered_table:1'])(
    "of which one is %s: an append is refused",
    async (changes) => {
      const lake = newLake();
      const writer = await newWriter(lake);
      await writer.commit([createTable("main", "t")]);
      await addSnapshot(lake, changes);
      const change = append("main", "t", writer.file("main", "t", 1));
      expect(await writer.commit([change], { baseSnapshotId: 1 })).toMatchObject(conflict);
      expect(await writer.commit([change], { baseSnapshotId: 2 })).toMatchObject({ ok: true });
    },
  );

  it("of which one dropped the table: an append is refused", async () => {
    const lake = newLake();
    const writer = await newWriter(lake);
    await writer.commit([createTable("main", "t")]);
    await addSnapshot(lake, "dropped_table:1");
    await inside(lake, ({ storage }) => void storage.sql.exec("UPDATE ducklake_table SET end_snapshot = 2"));
    const file = writer.file("main", "t", 1);
    expect(await writer.commit([append("main", "t", file)], { baseSnapshotId: 1 })).toMatchObject(conflict);
    // A new table of that name is another table: its writer never saw the old one's append.
    expect(await writer.commit([createTable("main", "t")])).toMatchObject({ ok: true });
    expect(await writer.commit([append("main", "t", file)], { baseSnapshotId: 1 })).toMatchObject(conflict);
    // Nor does the new one take a file that lies among the old one's.
    expect(await writer.commit([append("main", "t", file)])).toMatchObject({ ok: false });
    const [folder] = valueOf(await lake.catalog.uploadFolders(writer.token, [{ schema: "main", name: "t" }]));
    const own = { ...file, path: file.path.replace("main/t/", folder!) };
    expect(await writer.commit([append("main", "t", own)])).toMatchObject({ ok: true });
  });

  it("from a base that is no snapshot of the lake is refused", async () => {
    const writer = await newWriter(newLake());
    expect(await writer.commit([createTable("main", "t")], { baseSnapshotId: 7 })).toMatchObject(conflict);
  });
});
