// What a semantic model offers to whoever asks: its meta, the SQL of a query, and a first draft of one.

import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import type { LakeColumn } from "../../../../kernel/lake/lake.ts";
import type { Introspection } from "../../../../kernel/wire/source.ts";
import { SEMANTIC_LIMITS } from "../../../../src/features/semantic/limits.ts";
import { candidatesOf } from "../../../../src/features/semantic/draft/find-lake-keys.ts";
import { openLake } from "../../../../src/lake/lake.ts";
import { refusesStrangers } from "../../../support/unit/access.ts";
import { addRole } from "../../../support/unit/data-access/roles.ts";
import { call } from "../../../support/unit/http.ts";
import { column, createTable, newWriter } from "../../../support/unit/lake.ts";
import {
  addCube,
  cubeFile,
  EMPTY_META,
  modelPath,
  newCompiler,
  ownLakeOf,
  storedOf,
  type File,
} from "../../../support/unit/semantic/models.ts";
import { newTeam, type TestTeam } from "../../../support/unit/team.ts";

const path = (id: string, more: string) => `/v1/api/integrations/${id}/${more}`;
refusesStrangers("getSemanticMeta", (key) => call("GET", path(crypto.randomUUID(), "meta"), { key }), {
  right: "query",
});
refusesStrangers(
  "getSemanticSql",
  (key) => call("POST", path(crypto.randomUUID(), "sql"), { key, body: { cube_query: {} } }),
  { right: "query" },
);

let team: TestTeam;
beforeAll(async () => void (team = await newTeam()));

describe("getSemanticMeta", () => {
  const entry = (name: string, more: object = {}) => ({ name, measures: [], dimensions: [], ...EMPTY_META, ...more });

  it("shows members what the model makes public, as Cube does", async () => {
    const id = await addCube(team);
    const compiler = newCompiler(() => ({
      meta: [
        entry("a", {
          title: "A",
          measures: [
            { name: "a.count", isVisible: true, aggType: "count" },
            { name: "a.secret", isVisible: false },
          ],
          dimensions: [{ name: "a.id", isVisible: false }],
        }),
        entry("hidden", { dimensions: [{ name: "hidden.id", isVisible: false }] }),
      ],
    }));
    await compiler.put(team, id, [cubeFile("a"), cubeFile("hidden")]);
    expect((await call("GET", path(id, "meta"), { key: team.member.key })).body).toEqual({
      success: true,
      cubes: [entry("a", { title: "A", measures: [{ name: "a.count", isVisible: true, aggType: "count" }] })],
    });
  });

  it("leaves out what a role hides, as if the model had never had it", async () => {
    const other = await newTeam();
    const lakeId = await ownLakeOf(other);
    const writer = await newWriter({ teamId: other.id, lakeId, catalog: openLake(env, lakeId) });
    await writer.commit([
      createTable("sample", "a", [column(1, "id"), column(2, "price")]),
      createTable("sample", "b", [column(1, "id")]),
    ]);
    const id = await addCube(other);
    const withPrice = cubeFile("a").content.concat("      - {name: total, sql: price, type: sum}\n");
    await newCompiler().put(other, id, [{ path: "a.yml", content: withPrice }, cubeFile("b")]);
    await addRole(
      other,
      [{ integration_id: lakeId, schema: "sample", table: "a", exclude_columns: ["price"] }],
      [other.member.id],
    );
    const namesFor = async (key: string) =>
      (await call("GET", path(id, "meta"), { key })).body.cubes.map((cube: { name: string; measures: object[] }) => [
        cube.name,
        cube.measures.length,
      ]);
    expect(await namesFor(other.admin.key)).toEqual([
      ["a", 2],
      ["b", 1],
    ]);
    expect(await namesFor(other.member.key)).toEqual([["a", 1]]);
    const previewOf = async (member: string) =>
      call("POST", path(id, "sql"), { key: other.member.key, body: { cube_query: { measures: [member] } } });
    const [hidden, missing] = [await previewOf("a.total"), await previewOf("a.never")];
    expect([hidden.status, missing.status]).toEqual([422, 422]);
    expect(hidden.body.error.flaws).toEqual(
      JSON.parse(JSON.stringify(missing.body.error.flaws).replaceAll("never", "total")),
    );
  });

  it("is not there before there is a model, nor for another team or another kind", async () => {
    const id = await addCube(team);
    const foreign = await addCube(await newTeam());
    for (const each of [id, foreign, await ownLakeOf(team), "x"]) {
      expect((await call("GET", path(each, "meta"), { key: team.member.key })).status).toBe(404);
      const preview = await call("POST", path(each, "sql"), { key: team.member.key, body: { cube_query: {} } });
      expect(preview.status).toBe(404);
    }
  });
});

describe("getSemanticSql", () => {
  const MODEL: File[] = [
    {
      path: "model.yml",
      content: `cubes:
  - name: orders
    sql_table: sample.orders
    joins:
      - {name: customers, relationship: many_to_one, sql: "{CUBE}.customer_id = {customers.id}"}
    dimensions:
      - {name: id, sql: id, type: number, primary_key: true}
      - {name: ordered_at, sql: ordered_at, type: time}
    measures:
      - {name: count, type: count}
  - name: customers
    sql_table: sample.customers
    dimensions:
      - {name: id, sql: id, type: number, primary_key: true}
      - {name: country, sql: country, type: string}
`,
    },
  ];

  it("shows what a query would send: its values apart, its columns, and its joins", async () => {
    const id = await addCube(team);
    const put = await call("PUT", modelPath(id), { key: team.admin.key, body: { files: MODEL } });
    expect(put.status, JSON.stringify(put.body)).toBe(200);
    const preview = (cube_query: object) =>
      call("POST", path(id, "sql"), { key: team.member.key, body: { cube_query } });
    const filtered = {
      measures: ["orders.count"],
      dimensions: ["customers.country"],
      filters: [{ member: "customers.country", operator: "equals", values: ["N'1"] }],
    };
    const { status, body } = await preview(filtered);
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body.statements).toMatchObject([
      {
        columns: ["customers.country", "orders.count"],
        values: expect.arrayContaining(["N'1"]),
        join_path: [{ from: "orders", to: "customers", relationship: "many_to_one" }],
      },
    ]);
    expect(body.statements[0].sql).not.toContain("N'1");

    const compared = {
      measures: ["orders.count"],
      timeDimensions: [{ dimension: "orders.ordered_at", compareDateRange: [["2026-01-01"], ["2025-01-01"]] }],
    };
    const two = (await preview(compared)).body.statements;
    expect(two.map(({ compareDateRange }: { compareDateRange: string }) => compareDateRange.slice(0, 10))).toEqual([
      "2026-01-01",
      "2025-01-01",
    ]);
    const wrong = await preview({ measures: ["orders.profit"] });
    expect(wrong).toMatchObject({ status: 422, body: { message: expect.stringContaining("orders.profit") } });
    expect((await preview({ measures: ["orders.count"], limits: 1 })).status).toBe(422);
  });
});

describe("draftSemanticModel", () => {
  const table = (name: string, columns: [string, string][], rest: object = {}) => ({
    name,
    kind: "table" as const,
    rowsEstimate: 1,
    columns: columns.map(([column, type]) => ({ name: column, type, nullable: false })),
    primaryKey: ["id"],
    ...rest,
  });
  const SHOP: Introspection["schemas"] = [
    {
      name: "public",
      tables: [
        table("users", [
          ["id", "bigint"],
          ["Name", "text"],
        ]),
        table(
          "orders",
          [
            ["id", "bigint"],
            ["buyer", "bigint"],
            ["total", "numeric(10,2)"],
            ["at", "timestamp"],
          ],
          { foreignKeys: [{ columns: ["buyer"], schema: "public", table: "users", references: ["id"] }] },
        ),
      ],
    },
    {
      name: "other",
      tables: [
        table("notes", [
          ["id", "bigint"],
          ["text", "text"],
        ]),
      ],
    },
  ];
  const withSource = (schemas: Introspection["schemas"]) =>
    newCompiler(undefined, {
      "/connections/test": () => Response.json({ product: "PostgreSQL", version: "18", tls: true, canWrite: false }),
      "/introspect": () => Response.json({ schemas }),
    });
  const credentials = { host: "h", port: "1", database: "shop", username: "u", password: "p" };
  type Compiler = ReturnType<typeof newCompiler>;

  async function addSourceCube(compiler: Compiler): Promise<string> {
    const { key } = team.admin;
    const source = await compiler.ask("POST", "/v1/api/integrations", key, { type: "postgres", credentials });
    expect(source.status).toBe(201);
    return addCube(team, source.body.integration.id);
  }
  const draft = (compiler: Compiler, id: string, body: object = {}) =>
    compiler.ask("POST", modelPath(id, "/draft"), team.admin.key, body);

  it("answers files that the model takes, with joins by foreign keys, and keeps nothing", async () => {
    const compiler = withSource(SHOP);
    const id = await addSourceCube(compiler);
    const { status, body } = await draft(compiler, id);
    expect(status).toBe(200);
    expect(body).toMatchObject({ model: null, warnings: [] });
    const orders = body.files.find(({ path: name }: File) => name.endsWith("orders.yml")).content;
    expect(orders).toMatch(/joins:\n\s+- name: users\n\s+relationship: many_to_one/);
    expect(orders).toContain("type: sum");
    expect(orders).toContain("type: time");
    expect(await storedOf(id)).toEqual({ versions: [], files: [], definitions: [] });
    expect((await compiler.put(team, id, body.files)).status).toBe(200);
  });

  it("saves it as a first version, and never over one that is there", async () => {
    const compiler = withSource(SHOP);
    const id = await addSourceCube(compiler);
    const { body } = await draft(compiler, id, { tables: ["public.orders"], save: true });
    expect(body).toMatchObject({ model: { version: 1, file_count: 1 }, files: [{ path: "cubes/orders.yml" }] });
    expect((await draft(compiler, id, { save: true })).status).toBe(409);
    expect((await draft(compiler, id)).status).toBe(200);
    expect((await storedOf(id)).versions).toEqual([{ version: 1 }]);
    const action = "select action from audit_events where subject_id = ? and action like 'semantic_model.%'";
    expect((await env.DB.prepare(action).bind(id).all()).results).toEqual([{ action: "semantic_model.draft" }]);
  });

  it("is of the schemas and tables that are named, and of no more than it can describe", async () => {
    const compiler = withSource(SHOP);
    const id = await addSourceCube(compiler);
    const pathsOf = async (body: object) =>
      (await draft(compiler, id, body)).body.files?.map(({ path: name }: File) => name).sort();
    expect(await pathsOf({ schemas: ["other"] })).toEqual(["cubes/notes.yml"]);
    expect(await pathsOf({ tables: ["public.users", "other.notes"] })).toEqual(["cubes/notes.yml", "cubes/users.yml"]);
    expect((await draft(compiler, id, { schemas: ["nowhere"] })).status).toBe(422);
    const many = Array.from({ length: SEMANTIC_LIMITS.draftTablesMax + 1 }, (_, i) => table(`t${i}`, [["id", "int"]]));
    const crowded = withSource([{ name: "public", tables: many }]);
    expect(await draft(crowded, await addSourceCube(crowded))).toMatchObject({
      status: 422,
      body: { error: { flaws: [{ pointer: "/tables" }] } },
    });
  });

  it("takes for a lake's key what is called like one and holds by count, says so, and does without where nobody counts", async () => {
    const other = await newTeam();
    const lakeId = await ownLakeOf(other);
    const writer = await newWriter({ teamId: other.id, lakeId, catalog: openLake(env, lakeId) });
    const named = (...names: string[]): LakeColumn[] => names.map((name, i) => column(i + 1, name));
    await writer.commit([
      createTable("shop", "buyers", named("buyer_id", "age")),
      createTable("shop", "orders", named("order_id", "buyer_id")),
    ]);
    const id = await addCube(other);
    let sql = "";
    const counting = (answer: Response | undefined) =>
      newCompiler(undefined, {
        "/statements": (body: { sql: string }) => {
          sql = body.sql;
          return answer ?? Response.json({ code: "deadline_exceeded", message: "Too long." }, { status: 400 });
        },
      });
    const drafted = async (compiler: Compiler) =>
      (await compiler.ask("POST", modelPath(id, "/draft"), other.admin.key, {})).body;

    const data = [
      { candidate: 0, holds: true },
      { candidate: 1, holds: true },
    ];
    const both = await drafted(counting(Response.json({ data })));
    expect(sql).toContain('count(DISTINCT "buyer_id") = count(*) AS holds FROM "shop"."buyers"');
    expect(both.warnings).toEqual([
      expect.stringContaining("shop.buyers: buyer_id is taken for its key"),
      expect.stringContaining("shop.orders: order_id is taken for its key"),
    ]);
    expect(both.files[1].content).toContain("name: buyers");
    const one = await drafted(counting(Response.json({ data: [data[0], { candidate: 1, holds: false }] })));
    expect(one.warnings).toHaveLength(1);
    expect(one.files[1].content).not.toContain("joins:");
    const none = await drafted(counting(undefined));
    expect(none.warnings).toEqual([expect.stringContaining("could not be counted in time")]);
    expect(JSON.stringify(none.files)).not.toContain("primary_key");
  });
});

describe("candidatesOf a lake's table", () => {
  it.each([
    ["orders", ["order_id", "customer_id", "total"], [["order_id"]]],
    ["categories", ["category_id", "name"], [["category_id"]]],
    ["Users", ["ID", "user_id"], [["ID"], ["user_id"]]],
    [
      "order_items",
      ["order_id", "line", "product_id"],
      [
        ["order_id", "line"],
        ["product_id", "line"],
        ["order_id", "product_id"],
      ],
    ],
    ["memberships", ["user_id", "team_id"], [["user_id", "team_id"]]],
    ["logs", ["at", "text"], []],
  ])("%s", (name, columns, expected) => {
    expect(candidatesOf({ name, columns: columns.map((each) => ({ name: each, type: "int64" })) })).toEqual(expected);
  });

  it("takes no column that can't be a key", () => {
    expect(
      candidatesOf({
        name: "t",
        columns: [
          { name: "id", type: "float64" },
          { name: "key", type: "struct" },
        ],
      }),
    ).toEqual([]);
  });
});
