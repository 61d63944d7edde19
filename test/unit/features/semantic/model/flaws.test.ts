// What is wrong with a model is said in words, with its file, line, column and member.

import { describe, expect, it } from "vitest";
import { readModel } from "../../../../../src/features/semantic/model/read-model.ts";

const flawsOf = (content: string) => readModel([{ path: "model.yml", content }]).flaws ?? [];

/** Two cubes that could be joined; lines are counted from the first. */
const shop = ({ orders = "", users = "", views = "" }): string => `cubes:
  - name: orders
    sql_table: orders
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
      - { name: at, sql: at, type: time }
${orders}
  - name: users
    sql_table: users
    dimensions:
      - { name: id, sql: id, type: number, primary_key: true }
${users}
${views}`;

const JOIN = `    joins:
      - { name: users, relationship: many_to_one, sql: "{CUBE}.user_id = {users}.id" }`;
const JOIN_BACK = `    joins:
      - { name: orders, relationship: one_to_many, sql: "{CUBE}.id = {orders}.user_id" }`;
const SUB_QUERY = `      - { name: sold, sql: "{orders.total}", type: number, sub_query: true }`;
const measure = (fields: string): string => `    measures:\n      - { name: total, ${fields} }`;
const segment = (sql: string): string => `    segments:\n      - { name: some, sql: "${sql}" }`;
const view = (entry: string): string => `views:\n  - name: all\n    cubes:\n      - { ${entry} }`;

/** Where the second line of a member is written. */
const member = (line: string): string => `      - name: x\n        type: number\n        ${line}`;

const CASES: [string, string, { line?: number; member?: string; message: RegExp }][] = [
  ["no cubes", "cubes: []", { message: /no cubes and no views/ }],
  ["a list for a file", "- a", { line: 1, message: /must be an object, and is a list/ }],
  ["another key", "models: []", { line: 1, message: /models is not known/ }],
  ["a cube without a name", "cubes:\n  - sql_table: x", { line: 2, message: /name is missing/ }],
  ["a cube without rows", "cubes:\n  - name: x", { line: 2, member: "x", message: /either sql_table or sql/ }],
  [
    "a cube twice",
    "cubes:\n  - { name: x, sql_table: x }\n  - { name: x, sql_table: x }",
    { line: 3, member: "x", message: /another cube or view called x/ },
  ],
  [
    "a view called as a cube",
    shop({ views: "views:\n  - name: users\n    cubes: []" }),
    { member: "users", message: /another cube or view/ },
  ],
  [
    "a field of JavaScript's models",
    "cubes:\n  - { name: x, sqlTable: x }",
    { line: 2, member: "x", message: /sqlTable is not known here. It is written sql_table/ },
  ],
  [
    "a slip in a field's name",
    "cubes:\n  - name: x\n    sql_table: x\n    dimension: []",
    { line: 4, member: "x", message: /dimension is not known here. Did you mean dimensions\?/ },
  ],
  [
    "a reference that is not in quotes",
    shop({ orders: member("sql: {CUBE}.x / 2 + {id}") }),
    { line: 9, message: /begins with \{ .*put all of it in quotes/ },
  ],
  [
    "a reference that is not in quotes, within brackets",
    shop({ orders: "      - { name: x, sql: {CUBE}.x, type: number }" }),
    { line: 7, message: /begins with \{ .*put all of it in quotes/ },
  ],
  [
    "a reference alone that is not in quotes",
    shop({ orders: member("sql: {CUBE}") }),
    { line: 9, member: "orders.x", message: /must be text, and is an object. .*in quotes/ },
  ],
  ...["", "\n", "        # a comment\n", "  # another\r\n\n"].map((between): (typeof CASES)[number] => [
    `a field between the columns of an item's dash and of its fields, behind ${JSON.stringify(between)}`,
    shop({ orders: `      - name: x\n${between}       sql: x` }),
    { line: 8 + between.split("\n").length - 1, message: /neither an item, .* nor a field of the item above/ },
  ]),
  [
    "a comma that misses in brackets over lines",
    "cubes: [\n  { name: x, sql_table: x }\n  { name: y, sql_table: y }\n]",
    { line: 3, message: /^Missing , or :/ },
  ],
  [
    "a cube's field between the columns",
    "cubes:\n  - name: x\n   sql_table: x",
    { line: 3, message: /neither an item, .* nor a field of the item above/ },
  ],
  [
    "a time zone's function",
    shop({ orders: segment("SQL_UTILS.convertTz(at)") }),
    { line: 8, message: /SQL_UTILS can't be used: \{time.day\}/ },
  ],
  ["filters put in by hand", shop({ orders: segment("FILTER_PARAMS.x") }), { line: 8, message: /filters are put/ }],
  [
    "who asks",
    shop({ orders: segment("SECURITY_CONTEXT.x = 1") }),
    { line: 8, message: /who sees what is for the team's roles/ },
  ],
  [
    "an aggregate of Cube's newer planner",
    shop({ orders: measure("type: number_agg, sql: x") }),
    { line: 8, message: /number_agg.*newer planner.*type: number/ },
  ],
  [
    "a measure by cases",
    shop({ orders: measure("type: number, sql: x, case: {}") }),
    { line: 8, message: /Measures with case.*newer planner/ },
  ],
  [
    "text where a flag is",
    shop({ orders: measure("type: count, public: 'yes'") }),
    { line: 8, member: "orders.total", message: /true or false, and is text/ },
  ],
  [
    "a number where text is",
    shop({ orders: measure("type: sum, sql: 1") }),
    { line: 8, member: "orders.total", message: /must be text, and is 1/ },
  ],
  [
    "an unknown type",
    shop({ orders: measure("type: summ, sql: x") }),
    { line: 8, member: "orders.total", message: /summ is none of count,/ },
  ],
  [
    "a sum without sql",
    shop({ orders: measure("type: sum") }),
    { line: 8, member: "orders.total", message: /sql is missing/ },
  ],
  [
    "several stages",
    shop({ orders: measure("type: sum, sql: x, multi_stage: true") }),
    { line: 8, message: /several stages.*newer planner/ },
  ],
  ["a rank", shop({ orders: measure("type: rank") }), { line: 8, message: /newer planner/ }],
  [
    "a time shift",
    shop({ orders: measure("type: sum, sql: x, time_shift: []") }),
    { line: 8, message: /compareDateRange/ },
  ],
  [
    "a switch",
    shop({ orders: "      - { name: s, type: switch, values: [a] }" }),
    { line: 7, member: "orders.s", message: /type switch.*newer planner/ },
  ],
  [
    "a calendar",
    shop({ orders: "    calendar: true" }),
    { line: 7, member: "orders", message: /Calendar.*newer planner/ },
  ],
  [
    "a granularity by SQL",
    shop({ orders: "      - { name: t, type: time, sql: t, granularities: [{ name: year, sql: x }] }" }),
    { line: 7, message: /calendar cubes/ },
  ],
  [
    "a granularity without an origin",
    shop({ orders: "      - { name: t, type: time, sql: t, granularities: [{ name: g, interval: 2 weeks }] }" }),
    { member: "orders.t", message: /needs an origin/ },
  ],
  [
    "a granularity that is there already",
    shop({ orders: "      - { name: t, type: time, sql: t, granularities: [{ name: week, interval: 1 week }] }" }),
    { member: "orders.t", message: /another granularity called week/ },
  ],
  [
    "an interval of nothing",
    shop({ orders: "      - { name: t, type: time, sql: t, granularities: [{ name: g, interval: soon }] }" }),
    { message: /no interval/ },
  ],
  [
    "granularities of text",
    shop({ orders: "      - { name: t, type: string, sql: t, granularities: [{ name: g, interval: 1 week }] }" }),
    { message: /type time/ },
  ],
  [
    "a rolling window of a ratio",
    shop({ orders: measure("type: number, sql: 'sum(x)', rolling_window: { trailing: 7 day }") }),
    { message: /aggregates/ },
  ],
  [
    "a window of no length",
    shop({ orders: measure("type: sum, sql: x, rolling_window: { trailing: 7 }") }),
    { message: /must be text/ },
  ],
  [
    "a dimension of two forms",
    shop({ orders: "      - { name: g, type: geo, sql: x }" }),
    { member: "orders.g", message: /latitude and longitude/ },
  ],
  [
    "a member twice",
    shop({ orders: "      - { name: at, sql: x, type: time }" }),
    { line: 7, member: "orders.at", message: /another member called at/ },
  ],
  [
    "a measure called as a dimension",
    shop({ orders: "    measures:\n      - { name: at, type: count }" }),
    { line: 6, member: "orders.at", message: /another member/ },
  ],
  [
    "a join to nothing",
    shop({ orders: JOIN.replace("name: users", "name: clients") }),
    { line: 8, member: "orders", message: /Join to clients: there is no such cube/ },
  ],
  ["a join to itself", shop({ orders: JOIN.replaceAll("users", "orders") }), { message: /can't join itself/ }],
  [
    "two joins to one cube",
    shop({ orders: `${JOIN}\n${JOIN.split("\n")[1]}` }),
    { line: 9, member: "orders", message: /another join to users/ },
  ],
  [
    "a join of no relationship",
    shop({ orders: JOIN.replace("many_to_one", "manytoone") }),
    { line: 8, message: /manytoone is none of/ },
  ],
  [
    "a join by a measure",
    shop({
      orders: JOIN.replace("{users}.id", "{users.count}"),
      users: "    measures:\n      - { name: count, type: count }",
    }),
    { message: /is a measure, by which nothing can be joined/ },
  ],
  [
    "a join by what is made of another cube's subquery that is measured over it",
    shop({
      orders: `${JOIN.replace("{users}.id", "{users.twice}")}\n${measure("type: count")}`,
      users: `${SUB_QUERY}\n      - { name: twice, sql: "2 * {sold}", type: number }`,
    }),
    { line: 8, member: "orders", message: /\{users.twice\} is a subquery that is measured over this join/ },
  ],
  [
    "a join by a subquery that is measured over it",
    shop({ orders: measure("type: count"), users: `${SUB_QUERY}\n${JOIN_BACK.replace("{CUBE}.id", "{sold}")}` }),
    { member: "users", message: /\{sold\} is a subquery that is measured over this join/ },
  ],
  [
    "a joined cube without a primary key",
    shop({ orders: JOIN }).replace(/(name: users\n(?:.*\n)*.*), primary_key: true/, "$1"),
    { line: 9, member: "users", message: /no dimension with primary_key/ },
  ],
  [
    "a joining cube without a primary key",
    shop({ orders: JOIN }).replace(", primary_key: true", ""),
    { line: 2, member: "orders", message: /no dimension with primary_key/ },
  ],
  [
    "another cube's column",
    shop({ orders: `${JOIN}\n${measure("type: sum, sql: '{users}.age'")}` }),
    { member: "orders.total", message: /a column of another cube: make it a dimension of users/ },
  ],
  [
    "a member of a cube that no join leads to",
    shop({ orders: measure("type: sum, sql: '{users.id}'") }),
    { member: "orders.total", message: /no join leads from orders to users/ },
  ],
  [
    "a measure of a measure",
    shop({
      orders: `    measures:\n      - { name: count, type: count }\n      - { name: total, type: sum, sql: "{count}" }`,
    }),
    { line: 9, message: /only a measure of type number/ },
  ],
  [
    "a dimension of a measure",
    shop({
      orders: `      - { name: n, type: number, sql: "{count}" }\n    measures:\n      - { name: count, type: count }`,
    }),
    { line: 7, member: "orders.n", message: /needs sub_query: true/ },
  ],
  [
    "a segment of a measure",
    shop({ orders: `    measures:\n      - { name: count, type: count }\n${segment("{count} > 1")}` }),
    { message: /a segment can say nothing/ },
  ],
  [
    "a filter by a measure",
    shop({
      orders: `    measures:\n      - { name: count, type: count }\n      - { name: total, type: count, filters: [{ sql: "{count} > 1" }] }`,
    }),
    { message: /filters of a measure are of dimensions/ },
  ],
  [
    "a granularity that a time has not",
    shop({ orders: segment("{at.decade} = 1") }),
    { message: /at has no granularity decade/ },
  ],
  [
    "a view in a cube",
    shop({ orders: segment("{all.id} = 1"), views: view("join_path: users, includes: '*'") }),
    { message: /refers to a view/ },
  ],
  [
    "a member called as a cube",
    shop({ orders: `${JOIN}\n${segment("{users} = 1")}\n    measures:\n      - { name: users, type: count }` }),
    { message: /both the cube users and a member/ },
  ],
  [
    "a drill into nothing",
    shop({ orders: measure("type: count, drill_members: [nothing]") }),
    { message: /drill_members/ },
  ],
  [
    "a hierarchy of a measure",
    shop({ orders: `${measure("type: count")}\n    hierarchies:\n      - { name: h, levels: [total] }` }),
    { member: "orders.h", message: /no dimension/ },
  ],
  ["a view of nothing", shop({ views: "views:\n  - name: all" }), { member: "all", message: /cubes is missing/ }],
  [
    "a view of no cube",
    shop({ views: view("join_path: clients, includes: '*'") }),
    { member: "all", message: /no cube called clients/ },
  ],
  [
    "a view along no join",
    shop({ views: view("join_path: users.orders, includes: '*'") }),
    { member: "all", message: /no join leads from users to orders/ },
  ],
  [
    "a view of no member",
    shop({ views: view("join_path: users, includes: [name]") }),
    { member: "all", message: /no member called name/ },
  ],
  [
    "a view without a member that is not there",
    shop({ views: view("join_path: users, includes: '*', excludes: [name]") }),
    { message: /no member called name/ },
  ],
  [
    "a view with two members of a name",
    shop({
      orders: JOIN,
      views: `${view("join_path: orders, includes: '*'")}\n      - { join_path: orders.users, includes: [id] }`,
    }),
    { message: /two members called id/ },
  ],
  [
    "a view with members of its own",
    shop({ views: "views:\n  - name: all\n    measures: []" }),
    { member: "all", message: /no members of its own/ },
  ],
  ["default filters", shop({ views: "views:\n  - name: all\n    default_filters: []" }), { message: /newer planner/ }],
  [
    "a split view",
    shop({ views: view("join_path: users, includes: '*', split: true") }),
    { message: /can't be split/ },
  ],
  [
    "a folder of nothing",
    shop({ views: `${view("join_path: users, includes: '*'")}\n    folders: [{ name: f, includes: [x] }]` }),
    { message: /folder f has x/ },
  ],
  [
    "a parent that is not there",
    shop({ orders: "    extends: clients" }),
    { member: "orders", message: /extends clients/ },
  ],
  [
    "a cube that extends a view",
    shop({ orders: "    extends: all", views: view("join_path: users, includes: '*'") }),
    { message: /extends all, which is not there/ },
  ],
  ["another source of data", shop({ orders: "    data_source: other" }), { message: /one integration/ }],
  ["broken YAML", "cubes:\n  - name: 'x", { line: 2, message: /quote/ }],
];

describe("of words and signs", () => {
  const cube = (name: string, more = "") =>
    `  - name: ${name}\n    sql_table: t\n    measures:\n` +
    Array.from({ length: 41 }, (_, i) => `      - {name: m${i}, sql: "{CUBE}.c${i}", type: sum${more}}\n`).join("");
  const files = (count: number, more = "") =>
    Array.from({ length: count }, (_, i) => ({ path: `${i}.yml`, content: `cubes:\n${cube(`c${i}`, more)}` }));

  it("reads as many as 190 cubes of 41 members with titles and descriptions have", () => {
    const { flaws } = readModel(files(190, ", title: A title, description: 'What it is, in some words', public: true"));
    expect(flaws).toBeUndefined();
  });

  it("says how many all files of a model may have together", () => {
    expect(readModel(files(800)).flaws?.[0]?.message).toBe(
      "The model's files together have more than 400,000 words and signs of YAML, which is as much as can be read.",
    );
  });

  it("says how many one file may have", () => {
    const content = `cubes:\n${Array.from({ length: 240 }, (_, i) => cube(`c${i}`)).join("")}`;
    expect(readModel([{ path: "all.yml", content }]).flaws?.[0]).toMatchObject({
      file: "all.yml",
      message: "It has more than 250,000 words and signs of YAML, which is as much as can be read.",
    });
  });
});

describe("readModel says of", () => {
  it.each(CASES)("%s", (_, content, { line, member, message }) => {
    const flaws = flawsOf(content);
    const found = flaws.find((flaw) => message.test(flaw.message));
    expect(found, JSON.stringify(flaws)).toBeDefined();
    expect(found!.file).toBe("model.yml");
    if (line !== undefined) expect(found!.line).toBe(line);
    if (member !== undefined) expect(found!.member).toBe(member);
  });

  it("several files which of them, and all that is wrong at once", () => {
    const { flaws } = readModel([
      { path: "a.yml", content: "cubes:\n  - { name: a, sql_table: a, x: 1, y: 2 }" },
      { path: "b.yml", content: "\ncubes:\n  - { name: b, sql_table: b, z: 3 }" },
    ]);
    expect(flaws).toEqual([
      { file: "a.yml", line: 2, column: 30, member: "a", message: "The field x is not known here." },
      { file: "a.yml", line: 2, column: 36, member: "a", message: "The field y is not known here." },
      { file: "b.yml", line: 3, column: 30, member: "b", message: "The field z is not known here." },
    ]);
  });

  it("nothing where a model is as it should be", () => {
    expect(
      flawsOf(
        shop({
          orders: `${JOIN}\n${measure("type: sum, sql: amount")}`,
          views: view("join_path: orders.users, includes: '*'"),
        }),
      ),
    ).toEqual([]);
  });
});
