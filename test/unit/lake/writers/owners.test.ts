import { describe, expect, it } from "vitest";
import type { LakeChange } from "../../../../kernel/lake/commit.ts";
import { valueOf } from "../../../../src/core/answer.ts";
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

const OWNER = { owner: "sync:1", name: "orders from shop" };

/** `main.t` of the sync 1, with data file 0; the sync's own writer, and a user's. */
async function newOwned() {
  const lake = newLake();
  const [sync, user] = [await newWriter(lake, "sync/1"), await newWriter(lake, "dml")];
  expect(
    await lake.catalog.claimTables(OWNER, [
      { schema: "main", name: "t" },
      { schema: "main", name: "reserved" },
      { schema: "s", name: "later" },
    ]),
  ).toEqual([]);
  valueOf(
    await sync.commit([createTable("main", "t"), append("main", "t", sync.file("main", "t", 3))], { actor: "sync:1" }),
  );
  valueOf(await user.commit([createTable("main", "own")], { actor: "user" }));
  return { ...lake, sync, user };
}

describe("a table that a sync owns", () => {
  it.each<[string, (writer: Awaited<ReturnType<typeof newWriter>>) => LakeChange]>([
    ["append", (writer) => append("main", "T", writer.file("main", "t", 1))],
    ["overwrite", () => overwrite("Main", "t")],
    ["delete", (writer) => deleteRows("main", "t", { dataFileId: 0, file: writer.deletes("main", "t", 1) })],
    ["drop files", () => ({ kind: "drop_files", schema: "main", name: "t", dataFileIds: [0] })],
    ["alter", () => alter("main", "t", { kind: "add_column", column: column(2, "b") })],
    ["drop", () => ({ kind: "drop_table", schema: "main", name: "t" })],
    ["rename", () => ({ kind: "rename_table", schema: "main", name: "t", to: "u" })],
    ["rename to a name of its", () => ({ kind: "rename_table", schema: "main", name: "own", to: "Reserved" })],
    [
      "replace",
      () => ({ kind: "create_table", schema: "main", name: "t", columns: [column(1, "a")], orReplace: true }),
    ],
    ["create before the sync does", () => createTable("s", "Later")],
  ])("takes no %s from anybody else, who is told the sync's name", async (_, change) => {
    const { sync, user, ...lake } = await newOwned();
    for (const rest of [{ actor: "user" }, {}]) {
      const answer = await user.commit([change(user)], { ...rest, baseSnapshotId: 2 });
      expect(answer).toMatchObject({
        ok: false,
        refusal: { code: "resource_conflict", detail: expect.stringContaining("orders from shop") },
      });
    }
    expect(await lake.catalog.currentSnapshot()).toEqual({ snapshotId: 2 });
    const answer = await sync.commit([change(sync)], { actor: "sync:1", baseSnapshotId: 2 });
    expect(answer.ok || answer.refusal.detail).toBe(true);
  });

  it("keeps its schema from being dropped with it", async () => {
    const { sync, user } = await newOwned();
    await sync.commit([createTable("s", "later")], { actor: "sync:1" });
    expect(await user.commit([{ kind: "drop_schema", schema: "s", cascade: true }])).toMatchObject({
      ok: false,
      refusal: { detail: expect.stringContaining("orders from shop") },
    });
  });

  it("may be compacted by anybody once its sync's run is over, as that changes no row", async () => {
    const { sync, user, ...lake } = await newOwned();
    await lake.catalog.releaseLease("sync/1", sync.token.fence);
    expect(
      await user.commit([compact("main", "t", { data: [0] }, user.file("main", "t", 3))], { baseSnapshotId: 2 }),
    ).toMatchObject({ ok: true });
  });

  it("is another sync's neither by claim nor by commit", async () => {
    const lake = await newOwned();
    const other = await newWriter(lake, "sync/2");
    expect(
      await lake.catalog.claimTables({ owner: "sync:2", name: "other" }, [
        { schema: "main", name: "free" },
        { schema: "MAIN", name: "T" },
      ]),
    ).toEqual([{ schema: "MAIN", name: "T", owner: OWNER }]);
    expect(await lake.catalog.ownerOf("main", "free")).toBeUndefined();
    expect(await other.commit([overwrite("main", "t")], { actor: "sync:2" })).toMatchObject({
      ok: false,
      refusal: { code: "resource_conflict" },
    });
    expect(await other.commit([overwrite("main", "t")], { actor: "sync:1" })).toMatchObject({
      ok: false,
      refusal: { code: "validation_failed" },
    });
    expect(await other.commit([createTable("main", "x")], { actor: "sync:1" })).toMatchObject({
      ok: false,
      refusal: { flaws: [{ pointer: "/actor" }] },
    });
  });

  it("stays its sync's while another configuration takes the place of its own, and what that names no more is free", async () => {
    const { catalog, user } = await newOwned();
    await catalog.claimTables({ owner: "sync:2", name: "other" }, [{ schema: "main", name: "theirs" }]);
    // All or nothing: where a table is another's, nothing is released either.
    expect(
      await catalog.keepTables(OWNER, [
        { schema: "main", name: "t" },
        { schema: "main", name: "theirs" },
      ]),
    ).toMatchObject([{ name: "theirs" }]);
    expect(await catalog.ownerOf("s", "later")).toEqual(OWNER);
    expect(
      await catalog.keepTables(OWNER, [
        { schema: "MAIN", name: "T" },
        { schema: "main", name: "more" },
      ]),
    ).toEqual([]);
    expect(
      await Promise.all(
        [
          ["main", "t"],
          ["main", "more"],
          ["main", "reserved"],
          ["s", "later"],
          ["main", "theirs"],
        ].map(async ([schema, name]) => (await catalog.ownerOf(schema!, name!))?.owner),
      ),
    ).toEqual(["sync:1", "sync:1", undefined, undefined, "sync:2"]);
    expect(await user.commit([createTable("s", "later")], { actor: "user" })).toMatchObject({ ok: true });
  });

  it("may be claimed again by its sync, under a new name too, and is free once released", async () => {
    const { catalog, user } = await newOwned();
    expect(await catalog.claimTables({ owner: "sync:1", name: "renamed" }, [{ schema: "main", name: "T" }])).toEqual(
      [],
    );
    expect(await catalog.ownerOf("main", "t")).toEqual({ owner: "sync:1", name: "renamed" });
    expect(await catalog.releaseOwner("sync:1")).toBe(3);
    expect(await catalog.ownerOf("main", "t")).toBeUndefined();
    expect(await user.commit([overwrite("main", "t")])).toMatchObject({ ok: true });
  });
});
