import { describe, expect, it } from "vitest";
import { alter, append, column, createTable, newLake, newWriter } from "../../../support/unit/lake.ts";
import { grantOf, readerOf } from "./reading.ts";

const dropTable = (name: string) => ({ kind: "drop_table", schema: "main", name }) as const;
const rename = (name: string, to: string) => ({ kind: "rename_table", schema: "main", name, to }) as const;
const columns = (...names: string[]) => names.map((name, i) => column(i + 1, name));

/** At snapshot 1 `main.t` is the table 1 with the columns `id`, `ssn` and `pay`, at snapshot 2 with the file 0. */
async function newPast() {
  const lake = newLake();
  const writer = await newWriter(lake);
  await writer.commit([createTable("main", "t", columns("id", "ssn", "pay"))]);
  await writer.commit([append("main", "t", writer.file("main", "t", 10))]);
  const [table] = (await lake.catalog.describeSchema("main")).tables;
  const named = await readerOf(lake, [[grantOf("main", "t")]]);
  const every = await readerOf(lake, [[grantOf("*", "*")]]);
  return { ...lake, ...writer, first: table!.tableId, named, every };
}

describe("of a table that another has replaced, a reader by roles", () => {
  it("sees the columns that the other has, by their names in any case", async () => {
    const { commit, named, every, first } = await newPast();
    await commit([dropTable("t"), createTable("main", "T", columns("new", "ID"))]);
    for (const reader of [named, every]) {
      expect(await reader.tablesAt(2)).toEqual({ "main.t": ["id"] });
      expect(await reader.tablesAt(3)).toEqual({ "main.T": ["new", "ID"] });
      expect((await reader.describe(2)).tables[0]!.view).toMatchObject({
        cells: [{ column: 1, cases: [{ grants: [0] }] }],
      });
      expect(await reader.plan(2, [first])).toEqual({ [first]: [0] });
    }
  });

  it("does not see it where the other has none of its columns", async () => {
    const { commit, named, first } = await newPast();
    await commit([dropTable("t")]);
    await commit([createTable("main", "t", columns("new"))]);
    expect(await named.tablesAt(2)).toEqual({});
    expect(await named.plan(2, [first])).toEqual({});
    expect(await named.sign(2, [0])).toEqual([]);
  });

  it("sees what the other has now, not what it had when it took the name", async () => {
    const { commit, named } = await newPast();
    await commit([dropTable("t"), createTable("main", "t", columns("id", "ssn", "pay"))]);
    expect(await named.tablesAt(2)).toEqual({ "main.t": ["id", "ssn", "pay"] });
    await commit([alter("main", "t", { kind: "drop_column", id: 2 })]);
    await commit([alter("main", "t", { kind: "rename_column", id: 3, to: "salary" })]);
    expect(await named.tablesAt(2)).toEqual({ "main.t": ["id"] });
    await commit([alter("main", "t", { kind: "add_column", column: column(4, "ssn") })]);
    expect(await named.tablesAt(2)).toEqual({ "main.t": ["id", "ssn"] });
  });

  it("sees no column that any of those that came after it lacks", async () => {
    const { commit, named, first } = await newPast();
    await commit([dropTable("t"), createTable("main", "t", columns("id", "ssn"))]);
    await commit([dropTable("t"), createTable("main", "t", columns("id", "ssn", "pay"))]);
    expect(await named.tablesAt(2)).toEqual({ "main.t": ["id", "ssn"] });
    await commit([dropTable("t"), createTable("main", "t", columns("id"))]);
    for (const at of [2, 3, 4]) expect(await named.tablesAt(at)).toEqual({ "main.t": ["id"] });
    await commit([dropTable("t")]);
    for (const at of [2, 3, 4, 5]) expect(await named.tablesAt(at)).toEqual({ "main.t": ["id"] });
    expect(await named.plan(2, [first])).toEqual({ [first]: [0] });
  });

  it("sees no more when the other is renamed, and no less when it was named so afterwards", async () => {
    const { commit, every } = await newPast();
    await commit([createTable("main", "narrow", columns("id"))]);
    await commit([dropTable("t")]);
    // Nothing has taken the name: columns of the table's end.
    expect((await every.tablesAt(2))["main.t"]).toEqual(["id", "ssn", "pay"]);
    await commit([rename("narrow", "t")]);
    expect((await every.tablesAt(2))["main.t"]).toEqual(["id"]);
    await commit([rename("t", "u")]);
    expect((await every.tablesAt(2))["main.t"]).toEqual(["id"]);
  });

  it("is given another version of it whenever other columns of it show", async () => {
    const { commit, named } = await newPast();
    const version = async () => (await named.describe(2)).tables[0]!.version;
    const first = await version();
    await commit([dropTable("t"), createTable("main", "t", columns("id", "ssn", "pay"))]);
    expect(await version()).toBe(first);
    await commit([alter("main", "t", { kind: "drop_column", id: 2 })]);
    const second = await version();
    await commit([alter("main", "t", { kind: "drop_column", id: 3 })]);
    const third = await version();
    await commit([alter("main", "t", { kind: "add_column", column: column(4, "ssn") })]);
    expect(new Set([first, second, third, await version()]).size).toBe(4);
  });

  it("is not held to a table that had lost the name before, or has it in another schema", async () => {
    const { commit, every } = await newPast();
    await commit([rename("t", "u")]);
    await commit([createTable("main", "t", columns("ssn")), createTable("other", "u", columns("id"))]);
    await commit([dropTable("u")]);
    expect((await every.tablesAt(2))["main.t"]).toEqual(["id", "ssn", "pay"]);
  });
});
