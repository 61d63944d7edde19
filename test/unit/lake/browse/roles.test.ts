import { describe, expect, it } from "vitest";
import { addLake, addRole, type NewGrant } from "../../../support/unit/data-access/roles.ts";
import { alter, append, column, createTable, statistics } from "../../../support/unit/lake.ts";
import { newCatalog } from "./browse.ts";

/** What nobody whom roles bind may read below: of hidden tables, columns, comments, bounds and messages. */
const CANARY = /canary|7777/i;

/** `main.orders` of ten rows in one file, with columns whose every figure is a canary; `hr.canary` beside it. */
async function newShop() {
  const catalog = await newCatalog();
  const { writer, lake } = catalog;
  const columns = [column(1, "id"), column(2, "note", "varchar"), column(3, "canary_cost")];
  const bounds = (id: number, min: string, max: string) => statistics(id, 10, { min, max, nulls: 0, bytes: 7_777 });
  const file = writer.file("main", "orders", 10, {
    bytes: 77_777,
    statistics: [{ ...bounds(1, "1", "9"), bytes: 80 }, bounds(2, "canary a", "canary z"), bounds(3, "7777", "77777")],
  });
  await writer.commit([createTable("main", "orders", columns)]);
  await writer.commit([append("main", "orders", file)], { author: "Ada", message: "Copied from hr.canary" });
  await writer.commit([
    {
      kind: "set_comments",
      schema: "main",
      name: "orders",
      comments: [null, 1, 2, 3].map((columnId) => ({
        columnId,
        comment: `${columnId === 1 ? "" : "canary"} of ${columnId}`,
      })),
    },
  ]);
  await writer.commit([createTable("hr", "canary")]);
  const path = "/tables/main/orders";
  const asMember = async (grants: Omit<NewGrant, "integration_id">[]) => {
    await addRole(
      catalog.team,
      grants.map((grant) => ({ integration_id: lake.lakeId, ...grant })),
      [catalog.team.member.id],
    );
    const [tables, table, snapshots] = await Promise.all(
      ["/tables", path, `${path}/snapshots`].map((at) => catalog.get(at)),
    );
    return { tables: tables!.body.data, table: table!.body.data, snapshots: snapshots!.body.data };
  };
  return { ...catalog, path, asMember };
}

const equals = (member: string, value: string) => ({ member, operator: "equals" as const, values: [value] });

describe("the catalog's operations, for whom roles bind", () => {
  it("show all to everybody in a team without roles, and to admins in any", async () => {
    const { get, path, team } = await newShop();
    expect((await get("/tables")).body.data.total).toBe(2);
    await addRole(team, [], [team.member.id]);
    expect((await get("/tables", team.admin.key)).body.data.total).toBe(2);
    expect((await get(`${path}/snapshots`, team.admin.key)).body.data.items[1].message).toBe("Copied from hr.canary");
    expect((await get("/tables")).body.data).toMatchObject({ items: [], total: 0 });
  });

  it("answer for a denied table as for one that is not there, to the byte", async () => {
    const { get, asMember, team } = await newShop();
    await asMember([{ schema: "main", table: "orders" }]);
    const answersFor = async (name: string) => {
      const paths = ["", "/snapshots", "/columns/id/profile"].map((rest) => `/tables/hr/${name}${rest}`);
      const answers = await Promise.all(paths.map((path) => get(path)));
      return answers.map(({ status, body }) => [status, JSON.stringify({ ...body, meta: null }).replaceAll(name, "…")]);
    };
    expect(await answersFor("canary")).toEqual(await answersFor("canarx"));
    expect((await answersFor("canary")).map(([status]) => status)).toEqual([404, 404, 404]);
    expect((await get("/tables/hr/canary", team.admin.key)).status).toBe(200);
  });

  it("name what is like a table that is not there, of what may be read alone", async () => {
    const { get, asMember, team } = await newShop();
    await asMember([{ schema: "main", table: "orders" }]);
    const messageFor = async (path: string, key?: string) => (await get(`/tables/${path}`, key)).body.message;
    expect(await messageFor("main/ordrs")).toBe("Table main.ordrs was not found. Did you mean main.orders?");
    expect(await messageFor("hr/canry")).toBe("Table hr.canry was not found.");
    expect(await messageFor("hr/canry", team.admin.key)).toContain("Did you mean hr.canary?");
  });

  it("show of a table that is granted whole everything but what commits said of it", async () => {
    const { asMember } = await newShop();
    const { tables, table, snapshots } = await asMember([{ schema: "main", table: "*" }]);
    expect(tables).toMatchObject({ total: 1, items: [{ table_name: "orders", row_count: 10, bytes: 77_777 }] });
    expect(table.columns[2]).toMatchObject({ name: "canary_cost", statistics: { min: "7777" } });
    expect(snapshots.items[1]).toMatchObject({ author: "Ada", message: null, operation: "append", rows_added: 10 });
  });

  it("leave out of a table with a hidden column all that would tell of it", async () => {
    const { get, path, asMember } = await newShop();
    const { tables, table, snapshots } = await asMember([
      { schema: "main", table: "orders", exclude_columns: ["canary_cost"], masks: { note: "***" } },
    ]);
    expect(JSON.stringify([tables, table, snapshots])).not.toMatch(CANARY);
    const sizes = { bytes: null, file_count: null, delete_file_count: null };
    expect(table).toMatchObject({ comment: null, row_count: 10, column_count: 2, ...sizes });
    // What shows as it is in every row keeps its figures.
    expect(table.columns).toMatchObject([
      { name: "id", comment: " of 1", statistics: { min: "1", max: "9" } },
      { name: "note", comment: null, statistics: null },
    ]);
    expect(snapshots.items[1]).toMatchObject({ operation: "append", rows_added: 10, bytes_added: null, author: null });
    expect((await get(`${path}/columns/canary_cost/profile`)).status).toBe(404);
    const profile = (await get(`${path}/columns/note/profile`)).body.data;
    expect(profile).toMatchObject({ row_count: { value: 10 }, min: null, max: null, null_count: null });
    expect(JSON.stringify(profile)).not.toMatch(CANARY);
  });

  it("leave out of a table with hidden rows all that counts them", async () => {
    const { get, path, asMember } = await newShop();
    const { tables, table, snapshots } = await asMember([
      { schema: "*", table: "orders", filters: [equals("canary_cost", "1")], exclude_columns: ["canary_cost", "note"] },
    ]);
    expect(JSON.stringify([tables, table, snapshots])).not.toMatch(CANARY);
    expect(tables.items).toMatchObject([{ row_count: null, bytes: null, column_count: 1 }]);
    expect(table.columns).toMatchObject([{ name: "id", statistics: null, comment: null }]);
    for (const { snapshot_id: id, at, ...rest } of snapshots.items)
      expect([
        id,
        at,
        Object.values(rest)
          .flat()
          .filter((value) => value !== null),
      ]).toEqual([id, at, []]);
    expect((await get(`${path}/columns/id/profile`)).body.data).toMatchObject({
      ...{ source: "catalog", complete: false, row_count: null, min: null, null_share: null },
      notes: [expect.stringContaining("live read")],
    });
  });

  it("tell of no hidden column's past, under any of its names", async () => {
    const { writer, asMember } = await newShop();
    await writer.commit([
      alter("main", "orders", { kind: "rename_column", id: 3, to: "canary_price" }),
      alter("main", "orders", { kind: "add_column", column: column(4, "shown") }),
      alter("main", "orders", {
        kind: "add_column",
        column: column(5, "canary_s", "struct", [column(6, "canary_in")]),
      }),
    ]);
    await writer.commit([
      alter("main", "orders", { kind: "drop_column", id: 3 }, { kind: "drop_column", id: 5 }),
      alter("main", "orders", { kind: "rename_column", id: 4, to: "seen" }),
    ]);
    const { snapshots } = await asMember([
      { schema: "main", table: "orders", exclude_columns: ["canary_cost", "canary_s"], masks: { note: null } },
    ]);
    expect(JSON.stringify(snapshots)).not.toMatch(CANARY);
    expect(snapshots.items[0].columns_changed).toEqual([
      { change: "altered", name: "seen", lake_type: "int64", before: { name: "shown", lake_type: "int64" } },
    ]);
  });

  it("tell of what a table replaced only where that is granted too", async () => {
    const { writer, asMember, get, path, team } = await newShop();
    const { schema, name } = { schema: "main", name: "orders" };
    await writer.commit([{ kind: "create_table", schema, name, columns: [column(1, "id")], orReplace: true }]);
    expect((await get(`${path}/snapshots`, team.admin.key)).body.data.total).toBe(4);
    const { snapshots } = await asMember([{ schema, table: name }]);
    expect(snapshots.total).toBe(4);
  });

  it("tell of what a table replaced no more than is granted of that", async () => {
    const { writer, asMember, get, path, team } = await newShop();
    const [schema, name] = ["main", "orders"];
    const rename = (from: string, to: string) => ({ kind: "rename_table" as const, schema, name: from, to });
    await writer.commit([rename(name, "hidden")]);
    await writer.commit([rename("hidden", name)]);
    await writer.commit([{ kind: "create_table", schema, name, columns: [column(1, "id")], orReplace: true }]);
    expect((await get(`${path}/snapshots`, team.admin.key)).body.data.items).toContainEqual(
      expect.objectContaining({ rows_added: 10, bytes_added: 77_777 }),
    );
    const { tables, snapshots } = await asMember([
      { schema, table: "*" },
      { schema, table: "hidden", filters: [equals("id", "1")] },
    ]);
    expect(tables.items).toMatchObject([{ table_name: name, row_count: 0 }]);
    expect(snapshots.items.flatMap((item: object) => Object.values(item))).not.toContain(10);
    expect(JSON.stringify(snapshots)).not.toMatch(CANARY);
  });

  it("follow a change of roles at once", async () => {
    const { asMember, team, get } = await newShop();
    expect((await asMember([])).tables.total).toBe(0);
    await addRole(team, [{ integration_id: "*", schema: "hr" }], [team.member.id]);
    expect((await get("/tables")).body.data.items).toMatchObject([{ table_name: "canary", row_count: 0 }]);
    await addRole(team, [{ integration_id: await addLake(team), schema: "*" }], [team.member.id]);
    expect((await get("/tables")).body.data.total).toBe(1);
  });
});
