import { describe, expect, it } from "vitest";
import type { LakeChange } from "../../../../kernel/lake/commit.ts";
import { valueOf } from "../../../../src/core/answer.ts";
import type { Change } from "../../../../src/lake/format/change-text.ts";
import { findConflict, type Intent } from "../../../../src/lake/commit/conflicts.ts";
import {
  alter,
  append,
  column,
  compact,
  createTable,
  deleteRows,
  newLake,
  newWriter,
  overwrite,
} from "../../../support/unit/lake.ts";

describe("the specification's matrix, intent by change", () => {
  const table = { schema: "main", name: "t", tableId: 5 };
  const dropped: Change = { kind: "dropped_table", id: 5 };
  const altered: Change = { kind: "altered_table", id: 5 };
  const inserted: Change = { kind: "inserted_into_table", id: 5 };
  const deleted: Change = { kind: "deleted_from_table", id: 5 };
  const compacted: Change = { kind: "compacted_table", id: 5 };
  const created: Change = { kind: "created_table", schema: "Main", name: "T" };
  const inlined: Change[] = [
    { kind: "inlined_insert", id: 5 },
    { kind: "inlined_delete", id: 5 },
  ];
  const others: Change[] = [
    dropped,
    altered,
    inserted,
    deleted,
    compacted,
    ...inlined,
    { kind: "merge_adjacent", id: 5 },
    { kind: "rewrite_delete", id: 5 },
    created,
  ];

  it.each<[Intent, string[]]>([
    [{ kind: "drop", ...table }, ["dropped_table", "created_table"]],
    [{ kind: "alter", ...table }, ["dropped_table", "altered_table", "created_table"]],
    [
      { kind: "insert", ...table },
      ["dropped_table", "altered_table", "deleted_from_table", "inlined_delete", "created_table"],
    ],
    [
      { kind: "delete", ...table },
      [
        "dropped_table",
        "altered_table",
        "inserted_into_table",
        "compacted_table",
        "inlined_insert",
        "merge_adjacent",
        "rewrite_delete",
        "created_table",
      ],
    ],
    [{ kind: "compact", ...table }, ["dropped_table", "created_table"]],
    [{ kind: "create", schema: "main", schemaId: 0, name: "t" }, ["created_table"]],
    [{ kind: "create_schema", schema: "main" }, []],
    [{ kind: "drop_schema", schema: "main" }, ["created_table"]],
  ])("$kind", (intent, kinds) => {
    const against = others.filter((other) => findConflict([intent], [other]) !== undefined).map(({ kind }) => kind);
    expect(against.sort()).toEqual([...kinds].sort());
    const elsewhere: Change[] = [
      { kind: "dropped_table", id: 6 },
      { kind: "altered_table", id: 6 },
      { kind: "inserted_into_table", id: 6 },
      { kind: "created_table", schema: "other", name: "t" },
    ];
    expect(findConflict([intent], elsewhere)).toBeUndefined();
  });

  it("schemas by name and id", () => {
    expect(findConflict([{ kind: "create_schema", schema: "s" }], [{ kind: "created_schema", schema: "S" }])).toContain(
      "schema s",
    );
    expect(
      findConflict([{ kind: "create", schema: "s", schemaId: 3, name: "t" }], [{ kind: "dropped_schema", id: 3 }]),
    ).toContain("s.t");
  });
});

/**
 * Table 1 `main.t` with data files 0 and 1 of 10 rows each, table 2 `main.u`, an empty schema `s`: all at snapshot 1.
 */
async function newPair() {
  const lake = newLake();
  const [mine, theirs] = [await newWriter(lake, "mine"), await newWriter(lake, "theirs")];
  const files = [mine.file("main", "t", 10), mine.file("main", "t", 10)];
  valueOf(
    await mine.commit([
      createTable("main", "t", [column(1, "a"), column(2, "b", "int32")]),
      append("main", "t", ...files),
      createTable("main", "u"),
      { kind: "create_schema", schema: "s" },
    ]),
  );
  return { lake, mine, theirs };
}
type Writer = Awaited<ReturnType<typeof newWriter>>;

const CHANGES: Record<string, (writer: Writer) => LakeChange> = {
  append: (writer) => append("main", "t", writer.file("main", "t", 1)),
  "append by what is there": (writer) =>
    ({ ...append("main", "t", writer.file("main", "t", 1)), readsTable: true }) as LakeChange,
  overwrite: (writer) => overwrite("main", "t", writer.file("main", "t", 1)),
  "delete from 0": (writer) => deleteRows("main", "t", { dataFileId: 0, file: writer.deletes("main", "t", 3) }),
  "delete from 1": (writer) => deleteRows("main", "t", { dataFileId: 1, file: writer.deletes("main", "t", 3) }),
  "drop file 0": () => ({ kind: "drop_files", schema: "main", name: "t", dataFileIds: [0] }),
  compact: (writer) => compact("main", "t", { data: [0, 1] }, writer.file("main", "t", 20)),
  "compact 0": (writer) => compact("main", "t", { data: [0] }, writer.file("main", "t", 10)),
  "compact 1": (writer) => compact("main", "t", { data: [1] }, writer.file("main", "t", 10)),
  alter: () => alter("main", "t", { kind: "add_column", column: column(3, "c") }),
  comment: () => ({ kind: "set_comments", schema: "main", name: "t", comments: [{ columnId: 1, comment: "an a" }] }),
  rename: () => ({ kind: "rename_table", schema: "main", name: "t", to: "v" }),
  drop: () => ({ kind: "drop_table", schema: "main", name: "t" }),
  replace: () => ({ kind: "create_table", schema: "main", name: "t", columns: [column(1, "a")], orReplace: true }),
  "create v": () => createTable("main", "v"),
  "create s.t": () => createTable("s", "t"),
  "drop s": () => ({ kind: "drop_schema", schema: "s", cascade: true }),
  "create schema x": () => ({ kind: "create_schema", schema: "x" }),
  "drop u": () => ({ kind: "drop_table", schema: "main", name: "u" }),
};

/** What a commit from the same base stands against, by what was committed first. */
const REFUSED: Record<string, string[]> = {
  append: [
    "overwrite",
    "delete from 0",
    "delete from 1",
    "drop file 0",
    "alter",
    "comment",
    "rename",
    "drop",
    "replace",
  ],
  "append by what is there": [
    "append",
    "append by what is there",
    "overwrite",
    "delete from 0",
    "delete from 1",
    "drop file 0",
    "compact",
    "compact 0",
    "compact 1",
    "alter",
    "comment",
    "rename",
    "drop",
    "replace",
  ],
  overwrite: [
    "append",
    "append by what is there",
    "overwrite",
    "delete from 0",
    "delete from 1",
    "drop file 0",
    "compact",
    "compact 0",
    "compact 1",
    "alter",
    "comment",
    "rename",
    "drop",
    "replace",
  ],
  "delete from 0": [
    "append",
    "append by what is there",
    "overwrite",
    "delete from 0",
    "drop file 0",
    "compact",
    "compact 0",
    "compact 1",
    "alter",
    "comment",
    "rename",
    "drop",
    "replace",
  ],
  "delete from 1": [
    "append",
    "append by what is there",
    "overwrite",
    "delete from 1",
    "compact",
    "compact 0",
    "compact 1",
    "alter",
    "comment",
    "rename",
    "drop",
    "replace",
  ],
  "drop file 0": [
    "append",
    "append by what is there",
    "overwrite",
    "delete from 0",
    "drop file 0",
    "compact",
    "compact 0",
    "compact 1",
    "alter",
    "comment",
    "rename",
    "drop",
    "replace",
  ],
  compact: [
    ...["overwrite", "delete from 0", "delete from 1", "drop file 0", "compact", "compact 0", "compact 1"],
    ...["rename", "drop", "replace"],
  ],
  "compact 0": ["overwrite", "delete from 0", "drop file 0", "compact", "compact 0", "rename", "drop", "replace"],
  "compact 1": ["overwrite", "delete from 1", "compact", "compact 1", "rename", "drop", "replace"],
  alter: ["alter", "comment", "rename", "drop", "replace"],
  comment: ["alter", "comment", "rename", "drop", "replace"],
  rename: ["alter", "comment", "rename", "drop", "replace", "create v"],
  drop: ["rename", "drop", "replace"],
  replace: ["replace"],
  "create v": ["rename", "create v"],
  "create s.t": ["create s.t", "drop s"],
  "drop s": ["create s.t", "drop s"],
  "create schema x": ["create schema x"],
  "drop u": ["drop u"],
};

describe("of two commits from one base", () => {
  it.each(Object.keys(CHANGES))(
    "%s is refused after what it conflicts with, and re-based on anything else",
    async (second) => {
      const refused: string[] = [];
      for (const first of Object.keys(CHANGES)) {
        const { mine, theirs } = await newPair();
        expect(await theirs.commit([CHANGES[first]!(theirs)], { baseSnapshotId: 1 })).toMatchObject({ ok: true });
        const answer = await mine.commit([CHANGES[second]!(mine)], { baseSnapshotId: 1 });
        if (!answer.ok) {
          expect({ first, ...answer.refusal }).toMatchObject({
            first,
            code: "resource_conflict",
            detail: expect.stringMatching(/main\.[tuv]|s\.t|schema [sx]/),
          });
          refused.push(first);
        }
      }
      expect(refused.sort()).toEqual([...REFUSED[second]!].sort());
    },
  );

  it("a name that has come to mean another table by renames is a conflict, for a drop too", async () => {
    const { mine, theirs } = await newPair();
    await theirs.commit([
      { kind: "rename_table", schema: "main", name: "t", to: "old" },
      { kind: "rename_table", schema: "main", name: "u", to: "t" },
    ]);
    expect(await mine.commit([{ kind: "drop_table", schema: "main", name: "t" }], { baseSnapshotId: 1 })).toMatchObject(
      { ok: false, refusal: { code: "resource_conflict" } },
    );
    expect(await mine.commit([{ kind: "drop_table", schema: "main", name: "t" }], { baseSnapshotId: 2 })).toMatchObject(
      { ok: true },
    );
  });

  it("which both overwrite without one, the last wins and loses nothing of its own", async () => {
    const { lake, mine, theirs } = await newPair();
    await theirs.commit([overwrite("main", "t", theirs.file("main", "t", 7))]);
    expect(await mine.commit([overwrite("main", "t", mine.file("main", "t", 9))])).toMatchObject({ ok: true });
    expect(valueOf(await lake.catalog.plan(3, [1], "everything"))[0]?.files.map(({ rows }) => rows)).toEqual([9]);
  });
});
