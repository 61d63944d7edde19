import { describe, expect, it } from "vitest";
import type { Introspection } from "../../../../../kernel/wire/source.ts";
import { chooseCursors, type CursorRequest } from "../../../../../src/features/syncs/tables/choose-cursors.ts";
import { expandTables, type SourceTable } from "../../../../../src/features/syncs/tables/expand.ts";

type Table = Introspection["schemas"][number]["tables"][number];
const table = (name: string, rest: Partial<Table> = {}): Table => ({
  name,
  kind: "table",
  rowsEstimate: null,
  columns: [{ name: "id", type: "bigint", nullable: false, counted: true }],
  primaryKey: ["id"],
  ...rest,
});
const source = (schemas: Record<string, Table[]>): Introspection => ({
  schemas: Object.entries(schemas).map(([name, tables]) => ({ name, tables })),
});
const shop = source({
  public: [
    table("orders"),
    table("Items"),
    table("recent", { kind: "view" }),
    table("far", { kind: "foreign" }),
    table("sums", { kind: "materialized" }),
  ],
  sales: [table("orders"), table("x.y")],
  "sales.x": [table("y")],
  empty: [],
});

const expand = (...patterns: string[]) => expandTables(patterns, shop);
const flawOf = (...patterns: string[]) =>
  expand(...patterns).flaws.map(({ pointer, message }) => `${pointer} ${message}`);

describe("expandTables", () => {
  it.each([
    ["upper", "public.orders", ["PUBLIC.ORDERS"]],
    ["upper", "public.*", ["PUBLIC.ORDERS"]],
    ["upper", "Quoted.orders", []],
    ["lower", "PUBLIC.Orders", []],
    ["any", "quoted.ORDERS", ["Quoted.Orders"]],
    ["exact", "public.orders", []],
  ] as const)("takes names as the source folds them: %s, %s", (folding, pattern, paths) => {
    const folded = { ...source({ PUBLIC: [table("ORDERS")], Quoted: [table("Orders")] }), folding };
    expect(expandTables([pattern], folded).tables.map(({ path }) => path)).toEqual(paths);
  });

  it("refuses a named table without columns by saying so, and leaves out one that a star means", () => {
    const bare = source({ a: [table("t"), { ...table("bare"), columns: [] }], b: [{ ...table("only"), columns: [] }] });
    expect(expandTables(["a.bare"], bare).flaws).toEqual([
      { pointer: "/tables/0", message: expect.stringContaining("a.bare has no columns") },
    ]);
    expect(expandTables(["a.*"], bare)).toMatchObject({
      tables: [{ path: "a.t" }],
      flaws: [],
      leftOut: [{ path: "a.bare", reason: expect.stringContaining("left out") }],
    });
    expect(expandTables(["b.*"], bare).flaws).toHaveLength(1);
  });

  it("takes what is named, and all tables of a schema for a star, each once", () => {
    const { tables, flaws } = expand("public.recent", "public.*", "public.orders");
    expect(flaws).toEqual([]);
    expect(tables.map(({ path }) => path)).toEqual(["public.recent", "public.orders", "public.Items", "public.far"]);
  });

  it("names every table and schema that is not there, at its place", () => {
    expect(flawOf("public.orders", "public.nope", "nowhere.*", "public.items", "orders", "empty.*")).toEqual([
      expect.stringMatching(/^\/tables\/1 .*public\.nope/),
      expect.stringMatching(/^\/tables\/2 .*nowhere/),
      expect.stringMatching(/^\/tables\/3 .*public\.items.*there is public\.Items/),
      expect.stringMatching(/^\/tables\/4 orders is not of the form/),
      expect.stringMatching(/^\/tables\/5 .*empty has no tables/),
    ]);
  });

  it("refuses two tables that would be one in the lake, naming both", () => {
    expect(flawOf("public.orders", "sales.orders")).toEqual([
      expect.stringMatching(/public\.orders and sales\.orders/),
    ]);
    expect(expandTables(["a.*"], source({ a: [table("T"), table("t")] })).flaws).toEqual([
      { pointer: "/tables", message: expect.stringMatching(/a\.T and a\.t/) },
    ]);
  });

  it("does not take a part of a source for the whole", () => {
    const cut = { ...shop, truncated: true };
    expect(expandTables(["public.orders"], cut).flaws).toEqual([]);
    expect(expandTables(["public.*", "public.nope"], cut).flaws).toEqual([
      { pointer: "/tables/0", message: expect.stringMatching(/Name the tables/) },
      { pointer: "/tables/1", message: expect.stringMatching(/among the first 8/) },
    ]);
  });

  it("guesses nothing where dots make a name ambiguous", () =>
    expect(flawOf("sales.x.y")).toEqual([expect.stringMatching(/more than one way/)]));
});

describe("chooseCursors", () => {
  it("takes cursors by names as the source folds them", () => {
    const tables = expandTables(["PUBLIC.ORDERS"], source({ PUBLIC: [table("ORDERS")] })).tables;
    const request = { loadMethod: "append" as const, appendFullRows: false };
    const choose = (folding: "upper" | "exact") =>
      chooseCursors(tables, { ...request, folding, cursors: { "public.orders": "id" } });
    expect(choose("upper")).toMatchObject({ cursors: { "PUBLIC.ORDERS": "id" }, flaws: [] });
    expect(choose("exact").flaws).toMatchObject([{ pointer: "/cursors/public.orders" }]);
  });

  const tableOf = (rest: Partial<Table>): SourceTable => ({ ...table("t", rest), schema: "s", path: "s.t" });
  const choose = (described: Partial<Table>, request: Partial<CursorRequest> = {}) =>
    chooseCursors([tableOf(described)], { loadMethod: "append", cursors: {}, appendFullRows: false, ...request });
  const column = (name: string, type: string, { nullable = false, counted = false } = {}) => ({
    name,
    type,
    nullable,
    counted,
  });

  it.each([
    [
      "a key that is counted up",
      { columns: [column("id", "integer", { counted: true }), column("created_at", "timestamp")] },
      "id",
    ],
    ["a MySQL key", { columns: [column("id", "bigint unsigned", { counted: true })] }, "id"],
    [
      "an instant of making",
      {
        primaryKey: ["a", "b"],
        columns: [
          column("a", "text"),
          column("b", "int"),
          column("updated_at", "timestamptz"),
          column("created_at", "timestamp with time zone"),
        ],
      },
      "created_at",
    ],
    ["an instant of change", { primaryKey: [], columns: [column("modified_on", "datetime(6)")] }, "modified_on"],
  ])("appends by %s", (_, described, cursor) =>
    expect(choose(described)).toEqual({ cursors: { "s.t": cursor }, notes: [], flaws: [] }),
  );

  it.each([
    ["a key of text", { columns: [column("id", "uuid")] }],
    ["a key that others number", { columns: [column("id", "integer")] }],
    ["a key of two columns", { primaryKey: ["a", "b"], columns: [column("a", "int"), column("b", "int")] }],
    [
      "an instant that can be NULL",
      { primaryKey: [], columns: [column("created_at", "timestamp", { nullable: true })] },
    ],
    ["an instant that says nothing", { primaryKey: [], columns: [column("born", "timestamp")] }],
    ["a range", { columns: [column("id", "int4range")] }],
  ])("does not guess by %s: rows that the lake does not have are added", (_, described) => {
    expect(choose(described)).toEqual({
      cursors: {},
      flaws: [],
      notes: [
        expect.stringMatching(/^s\.t has no column that surely tells new rows\. Each run reads .* and adds those/),
      ],
    });
    expect(choose(described, { appendFullRows: true })).toMatchObject({
      cursors: {},
      flaws: [],
      notes: [expect.stringContaining("adds all its rows")],
    });
  });

  it("says plainly what a cursor can't see in a merge, and that a table without a key is replaced", () => {
    expect(choose({}, { loadMethod: "merge", cursors: { "s.t": "id" } }).notes).toEqual([
      expect.stringMatching(/deleted rows, are not seen/),
    ]);
    expect(choose({ primaryKey: [] }, { loadMethod: "merge" }).notes).toEqual([
      expect.stringMatching(/no primary key: each run replaces it/),
    ]);
    expect(choose({}, { loadMethod: "merge" })).toEqual({ cursors: {}, notes: [], flaws: [] });
  });

  it("says of an append from MySQL that rows committed late may be missed", () => {
    expect(choose({}, { source: "mysql", cursors: { "s.t": "id" } }).notes).toEqual([
      expect.stringMatching(/commits late.*is not seen/),
    ]);
    expect(choose({}, { source: "postgres", cursors: { "s.t": "id" } }).notes).toEqual([]);
  });

  it.each([
    "text",
    "character varying(20)",
    "varchar(9)",
    "uuid",
    "numeric",
    "double precision",
    "double",
    "float(7,5)",
    "json",
    "integer[]",
    "time without time zone",
    "enum('a')",
    "boolean",
  ])("refuses a cursor of type %s at once", (type) => {
    const columns = [column("id", "int"), column("c", type)];
    expect(choose({ columns }, { cursors: { "s.t": "c" } }).flaws).toEqual([
      { pointer: "/cursors/s.t", message: expect.stringContaining("a cursor is a whole number") },
    ]);
  });
  it.each([
    "bigint unsigned",
    "smallint",
    "numeric(10,2)",
    "decimal(9,3)",
    "date",
    "datetime(6)",
    "timestamp with time zone",
    "name_of_a_domain",
  ])("takes a cursor of type %s", (type) => {
    expect(choose({ columns: [column("c", type)] }, { cursors: { "s.t": "c" } }).flaws).toEqual([]);
  });

  it("refuses cursors of unknown tables and columns, and of an overwrite", () => {
    const at = (request: Partial<CursorRequest>) => choose({}, request).flaws.map(({ pointer }) => pointer);
    expect(at({ cursors: { "s.t": "nope", "s/x~": "id" } })).toEqual(["/cursors/s.t", "/cursors/s~1x~0"]);
    expect(at({ loadMethod: "overwrite", cursors: { "s.t": "id" } })).toEqual(["/cursors/s.t"]);
  });
});
