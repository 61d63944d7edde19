// The walls around the compiler, with the reader of models bypassed: what a model may say, and what it could do if any
// of it were code.

import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { SemanticModel } from "../../../kernel/semantic/model.ts";
import { CompileProcess } from "../../../containers/engine/semantic/compile/process/compile-process.ts";
import { encodeMessage, MessageReader } from "../../../containers/engine/semantic/compile/process/messages.ts";
import { SemanticCompiler } from "../../../containers/engine/semantic/compile/process/semantic-compiler.ts";
import { aSemanticQuery, CALLER, SHOP } from "../../support/node/semantic/shop.ts";

const HOSTILE_PROGRAM = fileURLToPath(new URL("../../support/node/semantic/hostile-program.ts", import.meta.url));
const signal = (ms = 60_000): AbortSignal => AbortSignal.timeout(ms);

describe("a program in the compile process's place", () => {
  let folder: string;
  let listener: Server;
  let visitors = 0;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "fjord-hostile-"));
    writeFileSync(join(folder, "secret"), "secret");
    listener = createServer((socket) => {
      visitors++;
      socket.destroy();
    });
    await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
    process.env["OF_THE_ENGINE"] = "secret";
  });
  afterAll(() => {
    delete process.env["OF_THE_ENGINE"];
    listener.close();
    rmSync(folder, { recursive: true });
  });

  const order = (key: string) => ({
    do: "model" as const,
    key,
    model: JSON.stringify({ port: (listener.address() as AddressInfo).port, file: join(folder, "secret") }),
  });

  async function hunt(): Promise<string[]> {
    const process = new CompileProcess(HOSTILE_PROGRAM);
    try {
      const answer = await process.ask(order("hunt"), signal());
      return JSON.parse("refused" in answer ? answer.refused : "[]") as string[];
    } finally {
      process.kill();
    }
  }

  const nothing = [expect.stringMatching(/^tried (3\d|4\d)$/)];

  it("finds no way out: no file, no environment, no network, no process, no module, no code", async () => {
    expect(await hunt()).toEqual(nothing);
    expect(visitors).toBe(0);
    expect(readdirSync(folder)).toEqual(["secret"]);
  });

  it("finds none either on a machine whose kernel can't be told", async () => {
    const { PATH } = process.env;
    process.env["PATH"] = "/nonexistent";
    try {
      expect(await hunt()).toEqual(nothing);
    } finally {
      process.env["PATH"] = PATH;
    }
    expect(visitors).toBe(0);
  });

  it("would find nearly all of them elsewhere", async () => {
    const child = spawn(process.execPath, [HOSTILE_PROGRAM, "--open"], { stdio: ["pipe", "pipe", "ignore"] });
    try {
      child.stdin.write(encodeMessage(order("hunt")));
      const found = await new Promise<string[]>((resolve) => {
        const reader = new MessageReader();
        child.stdout.on("data", (piece: Buffer) => {
          for (const answer of reader.read(piece) as Iterable<{ refused?: string }>)
            if (answer.refused !== undefined) resolve(JSON.parse(answer.refused) as string[]);
        });
      });
      expect(found.length).toBeGreaterThan(30);
      expect(visitors).toBeGreaterThan(0);
    } finally {
      child.kill("SIGKILL");
    }
  });

  it.each(["junk", "another answer", "two answers", "death"])("is not believed: %s", async (key) => {
    const process = new CompileProcess(HOSTILE_PROGRAM);
    await process.ready;
    const answers = process.ask(order(key), signal());
    if (key === "two answers") expect(await answers).toEqual({ refused: "answer 1" });
    else await expect(answers).rejects.toMatchObject({ code: "resources_exceeded" });
    await expect.poll(() => process.alive && existsSync(`/proc/${process.pid}/exe`)).toBe(false);
  });

  it("that answers nothing is killed when time is up", async () => {
    const process = new CompileProcess(HOSTILE_PROGRAM);
    await process.ready;
    const late = new Error("late");
    const controller = new AbortController();
    setTimeout(() => controller.abort(late), 200);
    await expect(process.ask(order("silence"), controller.signal)).rejects.toBe(late);
    expect(process.alive).toBe(false);
  });
});

const cube = (more: object): SemanticModel => ({
  cubes: [
    {
      name: "c",
      sql_table: "t",
      dimensions: [{ name: "id", sql: "id", type: "number", primary_key: true }],
      measures: [{ name: "count", type: "count" }],
      ...more,
    },
  ],
  views: [],
});
const dimension = (sql: unknown): SemanticModel => cube({ dimensions: [{ name: "d", sql, type: "string" }] });
const view = (more: object): SemanticModel => ({
  ...cube({}),
  views: [{ name: "v", cubes: [{ join_path: "c", includes: ["id"], ...more }] }],
});
/** A model parsed from JSON, in which `__proto__` is a key of the object's own. */
const withProto = (text: string): SemanticModel => JSON.parse(text.replaceAll("PROTO", "__proto__")) as SemanticModel;

const ESCAPES = [
  "{view.constructor.constructor('return process')().pid}",
  "{cube.constructor}",
  "{CUBE.constructor.constructor}",
  "{constructor}",
  "{__proto__}",
  "{CUBE.__proto__.x}",
  "{hasOwnProperty}",
  "{toString}",
  "{process.pid}",
  "{process.env.PATH}",
  "{globalThis.process}",
  "{require}",
  "{SECURITY_CONTEXT.team.unsafeValue}",
  "{SECURITY_CONTEXT}",
  "{SQL_UTILS.convertTz}",
  "{FILTER_PARAMS.c.id.filter}",
  "{FILTER_PARAMS.c.id.filter('x')}",
  "{FILTER_GROUP}",
  "{COMPILE_CONTEXT.x}",
  "{USER_CONTEXT}",
  "{context}",
  "{asyncModule}",
  "${process.pid}",
  "`+process.pid+`{nothing}",
  "`; process.exit(); //{nothing}",
  "\\u0060+process.pid",
  "{{ 1 }}",
  "{% set x = 1 %}",
  "{lambda x: x}",
  "{[x for x in y]}",
  "{f'{x}'}",
  "{'a'}",
  "{arguments}",
  "{this}",
  "{import('fs')}",
  "$0$",
];

const PLACES: [what: string, make: () => SemanticModel][] = [
  ...ESCAPES.map((text): [string, () => SemanticModel] => [`sql ${text}`, () => dimension(text)]),
  ["sql that is no text", () => dimension({ toString: "x" })],
  ["sql that is a number", () => dimension(7)],
  ["a table of code", () => cube({ sql_table: "{process.pid}" })],
  ["a join of code", () => cube({ joins: [{ name: "c", relationship: "hasOne", sql: "{process.exit()}" }] })],
  ["a filter of code", () => cube({ measures: [{ name: "m", type: "count", filters: [{ sql: "{process.pid}" }] }] })],
  ["drilling into code", () => cube({ measures: [{ name: "m", type: "count", drill_members: ["process.exit()"] }] })],
  [
    "drilling into what objects have",
    () => cube({ measures: [{ name: "m", type: "count", drill_members: ["constructor"] }] }),
  ],
  ["an ancestor of code", () => cube({ extends: "constructor.constructor('x')()" })],
  ["an ancestor that objects have", () => cube({ extends: "constructor" })],
  ["an ancestor of its own", () => cube({ extends: "c" })],
  ["a name of code", () => cube({ name: "c`;process.exit();//" })],
  ["a name that objects have", () => cube({ name: "constructor" })],
  ["a member's name of code", () => cube({ segments: [{ name: "a`+process.pid+`", sql: "x" }] })],
  ["a member's name that objects have", () => cube({ segments: [{ name: "hasOwnProperty", sql: "x" }] })],
  ["a member called __proto__", () => cube({ segments: [{ name: "__proto__", sql: "x" }] })],
  ["a member that Cube's symbols have", () => cube({ segments: [{ name: "cubeObj", sql: "x" }] })],
  ["a path of code", () => view({ join_path: "c`;process.exit();//" })],
  ["a path that objects have", () => view({ join_path: "c.constructor" })],
  ["an included member of code", () => view({ includes: ["id}`; process.exit(); //"] })],
  ["an included member called __proto__", () => view({ includes: [{ name: "id", alias: "__proto__" }] })],
  ["an alias of code", () => view({ alias: "a`+process.pid+`", prefix: true })],
  [
    "a link",
    () =>
      cube({
        dimensions: [
          { name: "d", sql: "d", type: "string", links: [{ name: "l", label: "L", dashboard: "`+process.pid+`" }] },
        ],
      }),
  ],
  ["a mask", () => cube({ dimensions: [{ name: "d", sql: "d", type: "string", mask: "`+process.pid+`" }] })],
  ["a policy", () => cube({ access_policy: [{ group: "*", conditions: [{ if: "process.exit()" }] }] })],
  ["a rollup", () => cube({ pre_aggregations: [{ name: "p", measures: ["count"] }] })],
  [
    "a default filter",
    () => ({
      ...view({}),
      views: [{ ...view({}).views[0]!, default_filters: [{ member: "id", values: ["{process.pid}"] }] }],
    }),
  ],
  ["rewritten queries", () => cube({ rewrite_queries: true })],
  [
    "keys of objects",
    () =>
      withProto(
        '{"cubes":[{"name":"c","sql_table":"t","PROTO":{"polluted":1},"meta":{"PROTO":{"polluted":1}}}],"views":[]}',
      ),
  ],
  [
    "keys of every object",
    () =>
      withProto(
        '{"cubes":[{"name":"c","sql_table":"t","dimensions":[{"name":"d","sql":"d","type":"string","PROTO":{"polluted":1}}]}],"views":[]}',
      ),
  ],
  [
    "a constructor's prototype",
    () => withProto('{"cubes":[{"name":"c","sql_table":"t","constructor":{"prototype":{"polluted":1}}}],"views":[]}'),
  ],
  [
    "a label that ends its quote",
    () =>
      cube({
        dimensions: [
          {
            name: "d",
            type: "string",
            case: { when: [{ sql: "1 = 1", label: "x' || secret || '" }], else: { label: "y" } },
          },
        ],
      }),
  ],
  [
    "a label that is a value's place",
    () =>
      cube({
        dimensions: [
          { name: "d", type: "string", case: { when: [{ sql: "1 = 1", label: "$0$" }], else: { label: "y" } } },
        ],
      }),
  ],
  [
    "members in a circle",
    () =>
      cube({
        measures: [
          { name: "a", sql: "{b}", type: "number" },
          { name: "b", sql: "{a}", type: "number" },
        ],
      }),
  ],
  [
    "cubes in a circle",
    () => ({
      cubes: [
        { name: "a", extends: "b" },
        { name: "b", extends: "a" },
      ],
      views: [],
    }),
  ],
  ["a thousand folders in each other", () => cube({ meta: nested(1_000) })],
];

function nested(depth: number): object {
  let inner: object = {};
  for (let i = 0; i < depth; i++) inner = { inner };
  return inner;
}

/** What is asked again is to come from the process, and not from what the engine keeps of its answers. */
const ASKED_EACH_TIME = { keptCharactersMax: 0 };

describe("a hostile model", () => {
  const compiler = new SemanticCompiler(ASKED_EACH_TIME);
  afterAll(() => compiler.stop());
  const query = aSemanticQuery({
    measures: ["orders.total", "line_items.quantity"],
    dimensions: ["orders_view.status"],
  });
  const honest = () => compiler.compileSemantic({ model: SHOP, dialect: "postgres", query }, CALLER, signal());
  let before: Awaited<ReturnType<typeof honest>>;
  let pids: number[];
  beforeAll(async () => {
    before = await honest();
    ({ pids } = compiler);
  });

  it.each(PLACES)("is refused in words, by a process that goes on as before: %s", async (_what, make) => {
    const model = make();
    const { flaws } = await compiler.compileModel(model, CALLER, signal());
    // A circle shows when it is followed.
    const asked = compiler
      .compileSemantic({ model, dialect: "postgres", query: aSemanticQuery({ measures: ["c.a"] }) }, CALLER, signal())
      .then(
        () => "no refusal",
        (error: { code: string }) => error.code,
      );
    expect(await asked).toBe("statement_refused");
    if (_what !== "members in a circle") expect(flaws.length).toBeGreaterThan(0);
    for (const { message } of flaws) expect(message).not.toMatch(/code generation|\bat .*:\d+:\d+|undefined \(/i);
    expect(await honest()).toEqual(before);
    expect(compiler.pids[0]).toBe(pids[0]);
  });

  it.each([
    ["a member that objects have", { measures: ["constructor.name"] }],
    ["a member of no cube", { measures: ["__proto__.x"] }],
    ["a member that every member has", { dimensions: ["orders.constructor"] }],
    ["no member", { dimensions: ["orders"] }],
    [
      "a filter by what objects have",
      { filters: [{ or: [{ member: "orders.constructor", operator: "equals" as const, values: ["x"] }] }] },
    ],
    ["a zone that is SQL", { measures: ["orders.total"], timezone: "UTC'; drop table x --" }],
    ["a granularity that is SQL", { timeDimensions: [{ dimension: "orders.created_at", granularity: "day'); drop" }] }],
    [
      "a granularity that objects have",
      { timeDimensions: [{ dimension: "orders.created_at", granularity: "constructor" }] },
    ],
  ])("is refused as a query is that has %s", async (_what, more) => {
    await expect(
      compiler.compileSemantic({ model: SHOP, dialect: "postgres", query: aSemanticQuery(more) }, CALLER, signal()),
    ).rejects.toMatchObject({ code: "statement_refused" });
    expect(await honest()).toEqual(before);
  });
});

describe("a model that is too much", () => {
  let compiler: SemanticCompiler;
  afterEach(() => compiler.stop());
  const honest = () =>
    compiler.compileSemantic(
      { model: SHOP, dialect: "mysql", query: aSemanticQuery({ measures: ["orders.total"] }) },
      CALLER,
      signal(),
    );

  it("by references that double at each step is refused before long", async () => {
    compiler = new SemanticCompiler(ASKED_EACH_TIME);
    const measures = Array.from({ length: 60 }, (_, i) => ({
      name: `m${i}`,
      type: "number",
      sql: i === 0 ? "1" : `{m${i - 1}} + {m${i - 1}}`,
    }));
    const began = performance.now();
    await expect(
      compiler.compileSemantic(
        { model: cube({ measures }), dialect: "postgres", query: aSemanticQuery({ measures: ["c.m59"] }) },
        CALLER,
        signal(),
      ),
    ).rejects.toMatchObject({ code: "statement_refused" });
    expect(performance.now() - began).toBeLessThan(10_000);
  });

  it("for the memory there is kills the process, and no other query", async () => {
    compiler = new SemanticCompiler(ASKED_EACH_TIME);
    await honest();
    const dimensions = Array.from({ length: 800_000 }, (_, i) => ({
      name: `d${i}`,
      sql: `{CUBE}.d${i}`,
      type: "string",
    }));
    const bomb = compiler.compileModel(cube({ dimensions }), CALLER, signal(120_000));
    const waiting = honest();
    await expect(bomb).rejects.toMatchObject({ code: "resources_exceeded" });
    expect((await waiting).sql).toContain("SELECT");
  });

  it("for the time there is kills the process, and no other query", async () => {
    compiler = new SemanticCompiler(ASKED_EACH_TIME);
    await honest();
    const cubes = Array.from({ length: 400 }, (_, i) => ({
      ...cube({}).cubes[0]!,
      name: `c${i}`,
      measures: Array.from({ length: 60 }, (_, m) => ({ name: `m${m}`, sql: `{CUBE}.m${m}`, type: "sum" })),
    }));
    const late = new Error("late");
    const controller = new AbortController();
    setTimeout(() => controller.abort(late), 300);
    const stalled = compiler.compileModel({ cubes, views: [] }, CALLER, controller.signal);
    const waiting = honest();
    await expect(stalled).rejects.toBe(late);
    expect((await waiting).sql).toContain("SELECT");
  });

  it("for a query that joins hundreds of cubes in a row keeps others waiting only so long", async () => {
    compiler = new SemanticCompiler({ ...ASKED_EACH_TIME, queryMs: 10_000 });
    await honest();
    const cubes = Array.from({ length: 500 }, (_, i) => ({
      ...cube({}).cubes[0]!,
      name: `c${i}`,
      dimensions: [{ name: "id", sql: "id", type: "number", primary_key: true }],
      measures: [{ name: "count", type: "count" }],
      joins: i === 0 ? [] : [{ name: `c${i - 1}`, relationship: "many_to_one", sql: `{CUBE}.id = {c${i - 1}}.id` }],
    }));
    const query = aSemanticQuery({ measures: ["c499.count"], dimensions: ["c0.id"] });
    const far = compiler.compileSemantic(
      { model: { cubes, views: [] }, dialect: "duckdb", query },
      CALLER,
      signal(120_000),
    );
    const waiting = honest();
    await expect(far).rejects.toThrow("not made within 10 s");
    expect((await waiting).sql).toContain("SELECT");
  });
});
