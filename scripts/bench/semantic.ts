// What a semantic query costs: the first of a large model after an engine's start, a query becoming SQL in a compiler
// that is warm, the compiler's memory, and the whole product's answer beside that of the same SQL typed.

import type { SemanticModel } from "../../containers/engine/contract/semantic/model.ts";
import { SemanticCompiler } from "../../containers/engine/semantic/compile/process/semantic-compiler.ts";
import { aSemanticQuery } from "../../test/support/node/semantic/shop.ts";
import {
  alternate,
  fixed,
  machineLoad,
  median,
  memoryMb,
  percentile,
  printTable,
  say,
  timed,
} from "./support/measure.ts";
import { startPlatform, type Platform } from "./support/platform.ts";

const CUBES = 100;
const MEMBERS = 31;
const STARTS = 10;
const QUERIES = 1_000;
const ROUNDS = 60;
const AIM = { firstMs: 1_000, p50: 5, p99: 20, overheadMs: 10 };
const DEADLINE_MS = 60_000;

export async function benchSemantic(): Promise<void> {
  await reportFirst();
  await reportWarm();
  const platform = await startPlatform();
  try {
    await reportOverhead(platform);
  } finally {
    await platform.stop();
  }
}

/** A tree of cubes, each joined to its parent. */
function largeModel(cubes: number): SemanticModel {
  const parent = (i: number): string => `cube_${(i - 1) >> 1}`;
  return {
    cubes: Array.from({ length: cubes }, (_, i) => ({
      name: `cube_${i}`,
      sql_table: `shop.table_${i}`,
      joins: i ? [{ name: parent(i), relationship: "many_to_one", sql: `{CUBE}.parent = {${parent(i)}.id}` }] : [],
      dimensions: [
        { name: "id", sql: "id", type: "number", primary_key: true },
        { name: "at", sql: "{CUBE}.at", type: "time" },
        ...Array.from({ length: MEMBERS - 17 }, (_, d) => ({ name: `d${d}`, sql: `{CUBE}.d${d}`, type: "string" })),
      ],
      measures: [
        ...Array.from({ length: 14 }, (_, m) => ({ name: `m${m}`, sql: `{CUBE}.m${m}`, type: "sum" })),
        { name: "share", sql: "1.0 * {m0} / NULLIF({m1}, 0)", type: "number" },
      ],
    })),
    views: [],
  };
}

const aQuery = (cube: number, limit: number) =>
  aSemanticQuery({
    measures: [`cube_${cube}.m1`, `cube_${cube}.share`],
    dimensions: [`cube_${(cube - 1) >> 1}.d1`],
    timeDimensions: [{ dimension: `cube_${cube}.at`, granularity: "month" }],
    filters: [{ member: `cube_${cube}.d2`, operator: "contains", values: ["x"] }],
    limit,
  });

const compile = (compiler: SemanticCompiler, model: SemanticModel, query: ReturnType<typeof aQuery>) =>
  compiler.compileSemantic({ model, dialect: "duckdb", query }, AbortSignal.timeout(DEADLINE_MS));

/** Each with a process of its own, which is not there yet. */
async function reportFirst(): Promise<void> {
  const first = (model: SemanticModel, cube: number) => async (): Promise<number> => {
    const compiler = new SemanticCompiler();
    const ms = await timed(() => compile(compiler, model, aQuery(cube, 100)));
    compiler.stop();
    return ms;
  };
  const times = await alternate(STARTS, {
    reached: first({ ...largeModel(CUBES), cubes: largeModel(CUBES).cubes.slice(0, 3) }, 2),
    whole: first(largeModel(CUBES), CUBES - 1),
  });
  const row = (name: string, values: number[]) => [name, fixed(median(values)), fixed(Math.max(...values))];
  printTable(
    `First query after an engine's start, model of ${CUBES} cubes × ${MEMBERS} members, load ${machineLoad()} (ms)`,
    ["", "median", "longest"],
    [
      row(`what the query reaches (aim ${AIM.firstMs})`, times.reached),
      row(`the whole model compiled for it`, times.whole),
    ],
  );
}

async function reportWarm(): Promise<void> {
  const compiler = new SemanticCompiler();
  try {
    const model = largeModel(CUBES);
    const saveMs = await timed(() => compiler.compileModel(model, AbortSignal.timeout(DEADLINE_MS)));
    const reached = { ...model, cubes: model.cubes.slice(0, 3) };
    const times: number[] = [];
    for (let i = 0; i < QUERIES; i++)
      times.push(await timed(() => compile(compiler, reached, aQuery(1 + (i % 2), i + 1))));
    printTable(
      `Query to SQL, ${QUERIES} of them, none like another, load ${machineLoad()} (ms)`,
      ["", "p50", "p99"],
      [[`in a warm compiler (aim ${AIM.p50}/${AIM.p99})`, fixed(median(times), 2), fixed(percentile(times, 0.99), 2)]],
    );
    say(`To save the model of ${CUBES} cubes, compiled whole: ${fixed(saveMs)} ms.`);
    const memory = compiler.pid === undefined ? undefined : await memoryMb(compiler.pid);
    if (memory) say(`The compiler's memory: ${fixed(memory.now, 0)} MB, at its peak ${fixed(memory.peak, 0)} MB.`);
  } finally {
    compiler.stop();
  }
}

const MODEL = `
cubes:
  - name: orders
    sql_table: LAKE.sample.orders
    joins:
      - { name: items, relationship: one_to_many, sql: "{CUBE.id} = {items}.order_id" }
    dimensions:
      - { name: id, sql: order_id, type: number, primary_key: true }
      - { name: status, sql: status, type: string }
    measures:
      - { name: count, type: count }
  - name: items
    sql_table: LAKE.sample.order_items
    dimensions:
      - { name: id, sql: "{CUBE}.order_id || '-' || {CUBE}.line", type: string, primary_key: true }
    measures:
      - { name: quantity, sql: quantity, type: sum }
`;

async function reportOverhead({ url, key }: Platform): Promise<void> {
  const ask = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const headers = { authorization: `Bearer ${key}`, ...(body && { "content-type": "application/json" }) };
    const answer = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text.slice(0, 500)}`);
    return JSON.parse(text) as T;
  };
  const lakes = await ask<{ data: { id: string }[] }>("GET", "/v1/api/integrations?type=lake");
  const made = await ask<{ integration: { id: string } }>("POST", "/v1/api/integrations", {
    type: "cube",
    name: "Bench",
    credentials: { integration_id: lakes.data[0]!.id },
  });
  const cube = `/v1/api/integrations/${made.integration.id}`;
  await ask("PUT", `${cube}/model`, { files: [{ path: "bench.yml", content: MODEL }] });
  const cubeQuery = { measures: ["orders.count", "items.quantity"], dimensions: ["orders.status"], limit: 100 };
  const { statements } = await ask<{ statements: { sql: string }[] }>("POST", `${cube}/sql`, { cube_query: cubeQuery });
  const sql = statements[0]!.sql;
  // Both are to run, whatever is kept of them.
  const asked = { integration_id: made.integration.id, cube_query: cubeQuery, invalidate: true };
  const times = await alternate(ROUNDS, {
    typed: () => timed(() => ask("POST", "/v1/query", { sql, invalidate: true })),
    semantic: () => timed(() => ask("POST", "/v1/query", asked)),
  });
  const added = times.semantic.map((ms, round) => ms - times.typed[round]!);
  const row = (name: string, values: number[]) => [name, fixed(median(values)), fixed(percentile(values, 0.95))];
  printTable(
    `Orders and their items by status, on the sample lake, ${ROUNDS} rounds, load ${machineLoad()} (ms)`,
    ["", "p50", "p95"],
    [
      row("the same SQL typed", times.typed),
      row("cube_query", times.semantic),
      row(`added (aim ${AIM.overheadMs})`, added),
    ],
  );
}
