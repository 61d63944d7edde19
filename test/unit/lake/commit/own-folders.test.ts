// A table is made in a folder of its own, so that a credential for its folder opens no other table's files.

import { describe, expect, it } from "vitest";
import type { LakeChange, NewDataFile, UploadTarget } from "../../../../kernel/lake/commit.ts";
import { valueOf } from "../../../../src/core/answer.ts";
import { append, column, createTable, newLake, newWriter, overwrite, rowsOf } from "../../../support/unit/lake.ts";
import { CONFLICT, invalid } from "./table-of-two-files.ts";

const OWN = /^main\/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\/$/;
const T: UploadTarget = { schema: "main", name: "t" };

async function newUploads() {
  const lake = newLake();
  const writer = await newWriter(lake);
  const folderOf = async (target: UploadTarget, { token } = writer): Promise<string> =>
    valueOf(await lake.catalog.uploadFolders(token, [target]))[0]!;
  return {
    ...lake,
    writer,
    folderOf,
    /** A file in the folder that the job is given for it. */
    file: async (target: UploadTarget, by = writer): Promise<NewDataFile> => {
      const file = by.file("main", "t", 1);
      return { ...file, path: (await folderOf(target, by)) + file.path.slice(file.path.lastIndexOf("/") + 1) };
    },
    commit: async (...changes: LakeChange[]) => valueOf(await writer.commit(changes)),
    /** Folders of the live tables, by name. */
    folders: async () =>
      Object.fromEntries(
        (
          await rowsOf(
            lake,
            `SELECT t.table_name AS name, s.path || t.path AS folder FROM ducklake_table t
             JOIN ducklake_schema s USING (schema_id) WHERE t.end_snapshot IS NULL`,
          )
        ).map(({ name, folder }) => [name, folder]),
      ) as Record<string, string>,
  };
}

const replacement: LakeChange = { ...createTable("main", "t", [column(1, "other")]), orReplace: true } as LakeChange;

describe("a table that is made with files", () => {
  it("has the folder that its job was given for them, every time it asked", async () => {
    const { folderOf, file, commit, folders } = await newUploads();
    expect(await folderOf(T)).toMatch(OWN);
    expect(await folderOf({ ...T, name: "T" })).toBe(await folderOf(T));
    await commit(createTable("main", "t"), append("main", "t", await file(T), await file(T)));
    expect((await folders()).t).toBe(await folderOf(T));
    // What comes later goes where the table is, for other jobs too.
    await commit(append("main", "t", await file(T)));
  });

  it("lies apart from another job's table of that name, and from one beside it", async () => {
    const lake = await newUploads();
    const other = await newWriter(lake, "other");
    const folders = [
      await lake.folderOf(T),
      await lake.folderOf(T, other),
      await lake.folderOf({ ...T, name: "u" }),
      await lake.folderOf({ ...T, schema: "s" }),
    ];
    expect(new Set(folders).size).toBe(folders.length);
  });

  it("takes no other job's files, nor those for another name", async () => {
    const lake = await newUploads();
    const other = await newWriter(lake, "other");
    const ask = (file: NewDataFile) => lake.writer.commit([createTable("main", "t"), append("main", "t", file)]);
    expect(await ask(await lake.file(T, other))).toMatchObject(invalid("/changes/1/files/0/path"));
    expect(await ask(await lake.file({ ...T, name: "u" }))).toMatchObject(invalid("/changes/1/files/0/path"));
    // The folder of its name is what an engine of before was given.
    expect(await ask(lake.writer.file("main", "t", 1))).toMatchObject({ ok: true });
  });
});

describe("a table that takes another's place", () => {
  it("lies in a folder of its own where its job said that it is new", async () => {
    const lake = await newUploads();
    await lake.commit(createTable("main", "t"), append("main", "t", lake.writer.file("main", "t", 1)));
    const job = await newWriter(lake, "second");
    expect(await lake.folderOf(T, job)).toBe("main/t/");
    const [folder, file] = [
      await lake.folderOf({ ...T, isNew: true }, job),
      await lake.file({ ...T, isNew: true }, job),
    ];
    expect(folder).toMatch(OWN);
    valueOf(await job.commit([replacement, append("main", "t", file)]));
    expect((await lake.folders()).t).toBe(folder);
  });

  it("lies in the other's where its files went there, and takes files of one folder alone", async () => {
    const lake = await newUploads();
    await lake.commit(createTable("main", "t"), append("main", "t", lake.writer.file("main", "t", 1)));
    const job = await newWriter(lake, "second");
    const [inOld, inOwn] = [await lake.file(T, job), await lake.file({ ...T, isNew: true }, job)];
    const both = await job.commit([replacement, append("main", "t", inOld, inOwn)]);
    expect(both).toMatchObject(invalid("/changes/1/files/0/path"));
    valueOf(await job.commit([replacement, append("main", "t", inOld)]));
    expect((await lake.folders()).t).toBe("main/t/");
  });

  it("takes no file for a new table where the old one stayed", async () => {
    const lake = await newUploads();
    await lake.commit(createTable("main", "t"), append("main", "t", lake.writer.file("main", "t", 1)));
    const file = await lake.file({ ...T, isNew: true });
    for (const change of [append("main", "t", file), overwrite("main", "t", file)])
      expect(await lake.writer.commit([change])).toMatchObject(invalid("/changes/0/files/0/path"));
  });
});

describe("a table that is made without files", () => {
  it("has the folder of its name, and a new one where files of another table are or were there", async () => {
    const lake = await newUploads();
    const { commit, folders } = lake;
    await commit(createTable("main", "t"));
    expect(await folders()).toEqual({ t: "main/t/" });
    await commit({ kind: "rename_table", ...T, to: "old" });
    await commit(createTable("main", "t"));
    expect(await folders()).toEqual({ old: "main/t/", t: expect.stringMatching(OWN) });
    await commit({ kind: "drop_table", ...T }, { kind: "drop_table", schema: "main", name: "old" });
    await commit(createTable("main", "t"));
    expect((await folders()).t).toMatch(OWN);
    await commit(replacement);
    expect((await folders()).t).toMatch(OWN);
    const all = await rowsOf(lake, "SELECT DISTINCT path FROM ducklake_table");
    expect(all).toHaveLength(4);
  });

  it("has a new one as long as files of a table that is forgotten wait for their deletion", async () => {
    const { commit, folders, catalog, writer } = await newUploads();
    await commit(createTable("main", "t"), append("main", "t", writer.file("main", "t", 1)));
    await commit({ kind: "drop_table", ...T });
    await catalog.expireSnapshots({ olderThanMs: Date.now() + 60_000 });
    await commit(createTable("main", "t"));
    expect((await folders()).t).toMatch(OWN);
    await commit({ kind: "drop_table", ...T });
    await catalog.expireSnapshots({ olderThanMs: Date.now() + 60_000 });
    const due = await catalog.listDueFiles(Date.now() + 1e9, 100);
    await catalog.confirmDeleted(due.map(({ id }) => id));
    await commit(createTable("main", "t"));
    expect((await folders()).t).toBe("main/t/");
  });

  it("shares none with another of the same commit", async () => {
    const { commit, folders } = await newUploads();
    await commit(createTable("main", "t"), { kind: "rename_table", ...T, to: "u" }, createTable("main", "t"));
    expect(await folders()).toEqual({ u: "main/t/", t: expect.stringMatching(OWN) });
  });

  it("is made once of two that race", async () => {
    const lake = await newUploads();
    const { snapshotId } = await lake.catalog.currentSnapshot();
    const other = await newWriter(lake, "other");
    await lake.commit(createTable("main", "t"));
    expect(await other.commit([createTable("main", "t")], { baseSnapshotId: snapshotId })).toMatchObject(CONFLICT);
  });
});
