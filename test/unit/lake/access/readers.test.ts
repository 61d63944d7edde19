import { describe, expect, it } from "vitest";
import type { Predicate } from "../../../../kernel/lake/lake.ts";
import {
  alter,
  append,
  column,
  createTable,
  deleteRows,
  newLake,
  newWriter,
  statistics,
} from "../../../support/unit/lake.ts";
import { grantOf, readerOf } from "./reading.ts";

const PEOPLE = [column(1, "id"), column(2, "region", "varchar"), column(3, "salary")];

/** `open.orders` is table 2 with the files 0 and 1, `hr.people` table 4 with file 2 and its deletes 3. */
async function newCompany() {
  const lake = newLake();
  const writer = await newWriter(lake);
  const bounded = (min: number, max: number) => ({
    statistics: [statistics(1, 10, { min: String(min), max: String(max) })],
  });
  await writer.commit([createTable("open", "orders", [column(1, "id"), column(2, "region", "varchar")])]);
  await writer.commit([createTable("hr", "people", PEOPLE)]);
  const ids = new Map((await lake.catalog.describeSchema("open")).tables.map(({ name, tableId }) => [name, tableId]));
  const [hr] = (await lake.catalog.describeSchema("hr")).tables;
  await writer.commit([
    append(
      "open",
      "orders",
      writer.file("open", "orders", 10, bounded(0, 9)),
      writer.file("open", "orders", 10, bounded(10, 19)),
    ),
    append("hr", "people", writer.file("hr", "people", 10, bounded(0, 9))),
  ]);
  await writer.commit([deleteRows("hr", "people", { dataFileId: 2, file: writer.deletes("hr", "people", 1) })], {
    baseSnapshotId: 3,
  });
  return { ...lake, writer, orders: ids.get("orders")!, people: hr!.tableId };
}

const equals = (member: string, ...values: string[]) => ({ member, operator: "equals" as const, values });

describe("a reader by roles", () => {
  it("is told of no table, schema or column but those granted", async () => {
    const lake = await newCompany();
    const reader = await readerOf(lake, [[grantOf("open", "orders", { excludes: ["REGION"] })]]);
    const { schemas, tables } = await reader.describe(4);
    expect(schemas).toEqual(["open"]);
    expect(tables).toEqual([
      {
        tableId: lake.orders,
        version: "3.1",
        schema: "open",
        name: "orders",
        columns: [column(1, "id")],
        view: { grants: [{ and: [] }], cells: [{ column: 1, cases: [{ grants: [0] }] }], beneath: [] },
      },
    ]);
    expect(JSON.stringify(await reader.describe(4))).not.toMatch(/hr|people|salary|region/i);
  });

  it("sees no table whose columns are all hidden", async () => {
    const lake = await newCompany();
    const reader = await readerOf(lake, [[grantOf("open", "orders", { excludes: ["id", "region"] })]]);
    expect(await reader.describe(4)).toEqual({ snapshotId: 4, schemas: [], tables: [] });
    expect(await reader.plan(4, [lake.orders])).toEqual({});
    expect(await reader.sign(4, [0, 1])).toEqual([]);
  });

  it("knows empty schemas only where all that comes into them is granted", async () => {
    const lake = await newCompany();
    await lake.writer.commit([
      { kind: "create_schema", schema: "empty" },
      { kind: "create_schema", schema: "secret" },
    ]);
    const schemasOf = async (...grants: ReturnType<typeof grantOf>[]) =>
      (await (await readerOf(lake, [grants])).describe(5)).schemas;
    expect(await schemasOf(grantOf("EMPTY", "*"), grantOf("secret", "one"))).toEqual(["empty"]);
    expect(await schemasOf(grantOf("*", "orders"))).toEqual(["open"]);
    expect(await schemasOf(grantOf("*", "*"))).toEqual(["empty", "hr", "main", "open", "secret"]);
  });

  it("gets plans and paths of granted tables alone, by whatever ids it asks", async () => {
    const lake = await newCompany();
    const { orders, people } = lake;
    const ids = Array.from({ length: 20 }, (_, i) => i);
    const stranger = await readerOf(lake, [[grantOf("open", "orders")]]);
    expect(await stranger.plan(4, ids)).toEqual({ [orders]: [0, 1] });
    expect(await stranger.sign(4, ids)).toEqual([0, 1]);
    const staff = await readerOf(lake, [[grantOf("hr", "*", { masks: { salary: null } })]]);
    expect(await staff.plan(4, ids)).toEqual({ [people]: [2] });
    expect(await staff.sign(4, ids)).toEqual([2, 3]);
    const nobody = await readerOf(lake, []);
    expect([await nobody.describe(4), await nobody.plan(4, ids), await nobody.sign(4, ids)]).toEqual([
      { snapshotId: 4, schemas: [], tables: [] },
      {},
      [],
    ]);
  });

  it("learns of hidden columns that its rows are chosen by only what reading them takes", async () => {
    const lake = await newCompany();
    const roles = [[grantOf("hr", "people", { excludes: ["region"], filters: [equals("region", "north")] })]];
    const [people] = (await (await readerOf(lake, roles)).describe(4)).tables;
    expect(people?.columns).toEqual([column(1, "id"), column(3, "salary")]);
    expect(people?.view).toEqual({
      grants: [{ and: [{ column: 2, operator: "equals", values: ["north"] }] }],
      cells: [
        { column: 1, cases: [{ grants: [0] }] },
        { column: 3, cases: [{ grants: [0] }] },
      ],
      beneath: [column(2, "region", "varchar")],
    });
  });

  it("sees as it is what one of its roles grants whole", async () => {
    const lake = await newCompany();
    const reader = await readerOf(lake, [[grantOf("hr", "people", { filters: null })], [grantOf("*", "*")]]);
    const [people] = (await reader.describe(4)).tables;
    const named = { tableId: lake.people, schema: "hr", name: "people", version: "4.2" };
    expect(people).toEqual({ ...named, columns: PEOPLE, view: "whole" });
  });
});

describe("of the past, a reader by roles", () => {
  it("sees tables by what they are called now, under the names they had", async () => {
    const lake = await newCompany();
    await lake.writer.commit([{ kind: "rename_table", schema: "open", name: "orders", to: "orders_old" }]);
    await lake.writer.commit([createTable("open", "orders", [column(1, "harmless")])]);
    const byOldName = await readerOf(lake, [[grantOf("open", "orders")]]);
    // The grant means the table that bears the name: what was called so before is another table.
    expect(await byOldName.tablesAt(4)).toEqual({});
    expect(await byOldName.plan(4, [lake.orders])).toEqual({});
    expect(await byOldName.sign(4, [0, 1])).toEqual([]);
    expect(await byOldName.tablesAt(6)).toEqual({ "open.orders": ["harmless"] });
    const byNewName = await readerOf(lake, [[grantOf("open", "orders_old")]]);
    expect(await byNewName.tablesAt(4)).toEqual({ "open.orders": ["id", "region"] });
    expect(await byNewName.tablesAt(6)).toEqual({ "open.orders_old": ["id", "region"] });
    expect(await byNewName.plan(4, [lake.orders])).toEqual({ [lake.orders]: [0, 1] });
  });

  it("keeps the restrictions of names that a table had, also when no snapshot of them is left", async () => {
    const lake = await newCompany();
    await lake.writer.commit([{ kind: "rename_table", schema: "hr", name: "people", to: "staff" }]);
    const roles = [[grantOf("*", "*"), grantOf("hr", "people", { excludes: ["salary"] })]];
    const reader = await readerOf(lake, roles);
    expect((await reader.tablesAt(5))["hr.staff"]).toEqual(["id", "region"]);
    await lake.catalog.expireSnapshots({ snapshotIds: [0, 1, 2, 3, 4] });
    expect((await reader.tablesAt(5))["hr.staff"]).toEqual(["id", "region"]);
  });

  it("reads a dropped table by its last name, and another of that name by its own", async () => {
    const lake = await newCompany();
    await lake.writer.commit([{ kind: "rename_table", schema: "hr", name: "people", to: "gone" }]);
    await lake.writer.commit([{ kind: "drop_table", schema: "hr", name: "gone" }]);
    await lake.writer.commit([createTable("hr", "people", [column(1, "id")])]);
    const people = await readerOf(lake, [[grantOf("hr", "people")]]);
    expect(await people.tablesAt(4)).toEqual({});
    expect(await people.tablesAt(7)).toEqual({ "hr.people": ["id"] });
    const gone = await readerOf(lake, [[grantOf("hr", "gone")]]);
    expect(await gone.tablesAt(4)).toEqual({ "hr.people": ["id", "region", "salary"] });
    expect(await gone.tablesAt(7)).toEqual({});
  });

  it("sees no column that is hidden under any name it had", async () => {
    const lake = await newCompany();
    await lake.writer.commit([alter("hr", "people", { kind: "rename_column", id: 3, to: "pay" })]);
    await lake.writer.commit([alter("hr", "people", { kind: "drop_column", id: 2 })]);
    await lake.writer.commit([
      alter("hr", "people", { kind: "add_column", column: column(4, "region", "varchar") }),
      alter("hr", "people", { kind: "add_column", column: column(5, "salary") }),
    ]);
    const columnsFor = async (excludes: string[], snapshotId: number) =>
      (await (await readerOf(lake, [[grantOf("hr", "people", { excludes })]])).tablesAt(snapshotId))["hr.people"];
    expect(await columnsFor(["pay"], 4)).toEqual(["id"]);
    expect(await columnsFor(["salary"], 4)).toEqual(["id"]);
    expect(await columnsFor(["salary"], 7)).toEqual(["id", "region"]);
    expect(await columnsFor(["region"], 4)).toEqual(["id", "salary"]);
    expect(await columnsFor(["region"], 7)).toEqual(["id", "pay", "salary"]);
  });

  it("sees no column that its table has no more, whatever is granted, and once it is dropped those of its end", async () => {
    const lake = await newCompany();
    await lake.writer.commit([alter("hr", "people", { kind: "drop_column", id: 3 })]);
    const whole = await readerOf(lake, [[grantOf("hr", "people")]]);
    const filtered = await readerOf(lake, [[grantOf("hr", "people", { filters: [equals("salary", "1")] })]]);
    for (const reader of [whole, filtered]) {
      expect(await reader.tablesAt(4)).toEqual({ "hr.people": ["id", "region"] });
      expect(await reader.tablesAt(5)).toEqual({ "hr.people": ["id", "region"] });
    }
    expect((await whole.describe(4)).tables[0]!.view).toMatchObject({ grants: [{ and: [] }] });
    expect((await whole.describe(5)).tables[0]!.view).toBe("whole");
    // What chooses rows goes on to do so by the column that it meant.
    expect((await filtered.describe(4)).tables[0]!.view).toMatchObject({
      grants: [{ and: [{ column: 3, operator: "equals", values: ["1"] }] }],
    });
    await lake.writer.commit([{ kind: "drop_table", schema: "hr", name: "people" }]);
    expect(await whole.tablesAt(4)).toEqual({ "hr.people": ["id", "region"] });
  });

  it("reads no row by a filter on a column that was not there yet", async () => {
    const lake = await newCompany();
    await lake.writer.commit([alter("hr", "people", { kind: "add_column", column: column(4, "team", "varchar") })]);
    const reader = await readerOf(lake, [[grantOf("hr", "people", { filters: [equals("team", "a")] })]]);
    const viewAt = async (at: number) => (await reader.describe(at)).tables[0]?.view;
    expect(await viewAt(4)).toMatchObject({ grants: [{ or: [] }] });
    expect(await viewAt(5)).toMatchObject({ grants: [{ and: [{ column: 4, operator: "equals", values: ["a"] }] }] });
  });
});

describe("predicates of a reader by roles", () => {
  const above: Predicate[][] = [[{ columnId: 1, op: ">", values: ["15"] }]];

  it("leave out files where they are about columns that show as they are, in every row", async () => {
    const lake = await newCompany();
    const filesFor = async (...roles: Parameters<typeof readerOf>[1]) =>
      (await (await readerOf(lake, roles)).plan(4, [lake.orders], above))[lake.orders];
    expect(await filesFor([grantOf("open", "orders")])).toEqual([1]);
    expect(await filesFor([grantOf("open", "orders", { excludes: ["region"] })])).toEqual([1]);
    // Which files are left would tell of a value that is hidden.
    expect(await filesFor([grantOf("open", "orders", { excludes: ["id"] })])).toEqual([0, 1]);
    expect(await filesFor([grantOf("open", "orders", { masks: { id: 0 } })])).toEqual([0, 1]);
    expect(await filesFor([grantOf("open", "orders", { filters: [equals("region", "north")] })])).toEqual([0, 1]);
    const partly = [grantOf("open", "orders", { filters: [equals("region", "north")] })];
    expect(await filesFor(partly, [grantOf("open", "orders", { masks: { id: null } })])).toEqual([0, 1]);
  });

  it("are those of its own roles where rows are hidden, for plans and paths, and never those it asks by", async () => {
    const lake = await newCompany();
    const early = grantOf("open", "orders", {
      excludes: ["id"],
      filters: [{ member: "id", operator: "lt", values: ["10"] }],
    });
    const reader = await readerOf(lake, [[early]]);
    const asked: (Predicate[][] | undefined)[] = [
      undefined,
      above,
      [[{ columnId: 1, op: "is_null", values: [] }]],
      [[{ columnId: 2, op: "=", values: ["north"] }], []],
    ];
    for (const anyOf of asked) expect(await reader.plan(4, [lake.orders], anyOf)).toEqual({ [lake.orders]: [0] });
    expect(await reader.sign(4, [0, 1, 2, 3])).toEqual([0]);
    const never = await readerOf(lake, [[grantOf("open", "*", { filters: null })]]);
    expect(await never.plan(4, [lake.orders])).toEqual({ [lake.orders]: [] });
    expect(await never.sign(4, [0, 1])).toEqual([]);
    const both = await readerOf(lake, [[early], [grantOf("open", "*", { filters: [equals("id", "15")] })]]);
    expect(await both.plan(4, [lake.orders], above)).toEqual({ [lake.orders]: [0, 1] });
  });

  it("leave out a file with its deletes", async () => {
    const lake = await newCompany();
    const reader = async (id: string) => readerOf(lake, [[grantOf("hr", "people", { filters: [equals("id", id)] })]]);
    expect(await (await reader("9")).sign(4, [2, 3])).toEqual([2, 3]);
    expect(await (await reader("10")).sign(4, [3])).toEqual([]);
    expect(await (await reader("10")).plan(4, [lake.people])).toEqual({ [lake.people]: [] });
  });
});
