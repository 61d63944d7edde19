// Many callers send one statement at once: one runs, the others have its result, and nobody pays for what follows.

import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { CacheUse } from "../../../../containers/engine/core/cache-use.ts";
import type { LakeGrant, StatementRequest } from "../../../../kernel/wire/engine.ts";
import { Failure } from "../../../../containers/engine/core/failure.ts";
import { Phases } from "../../../../containers/engine/core/phases.ts";
import { statementOf, type LakeStatement } from "../../../../containers/engine/core/statement.ts";
import { runRead } from "../../../../containers/engine/lake/read/run-read.ts";
import { WriteLake } from "../../../support/node/lake/write-lake.ts";

const MISS = "Fjord; fwd=miss";
const HIT = "Fjord; hit";
/** Rows that a statement compares with each other: it runs for a while. */
const ROWS = 8_000;

let lakes: WriteLake;
beforeAll(async () => {
  lakes = await WriteLake.open({ resultCacheBytesMax: 8 * 1024 * 1024 });
  await lakes.ask(`CREATE TABLE t AS SELECT range AS a FROM range(${ROWS})`);
});
afterAll(() => lakes.close());

/** A statement that no other test asks. */
let n = 0;
let SLOW = "";
beforeEach(() => void (SLOW = `SELECT count(*) AS n, ${++n} AS test FROM t x, t y WHERE (x.a * y.a) % 7 = 3`));

type StatementOptions = Partial<Pick<StatementRequest, "invalidate" | "format" | "rowsMax">> & {
  grant?: LakeGrant;
  signal?: AbortSignal;
  write?: (bytes: Uint8Array) => void | Promise<void>;
};

const whole = (): LakeGrant => ({ ...lakes.platform.grant(), reader: "everything" });

async function ask(sql: string, { grant = whole(), signal, write, ...rest }: StatementOptions = {}) {
  const facts = { phases: new Phases(), cacheUse: new CacheUse() };
  const usual = { format: "json", numbers: "exact", rowsMax: 100, bytesMax: 1e8 } as const;
  const times = { deadlineMs: 60_000, leaseMs: 60_000 };
  const target = { kind: "lake" as const, lake: grant };
  const statement = statementOf({ id: crypto.randomUUID(), sql, target, ...usual, ...times, ...rest }, facts);
  const chunks: Uint8Array[] = [];
  const sink = { write: write ?? ((bytes: Uint8Array) => void chunks.push(bytes.slice())) };
  await runRead(lakes.lake, statement as LakeStatement, signal ?? new AbortController().signal, sink);
  const text = Buffer.concat(chunks).toString();
  return { text, status: facts.cacheUse.headers["cache-status"], phases: facts.phases.toJSON() };
}

const rowsOf = ({ text }: { text: string }): unknown => (JSON.parse(text) as { data: unknown }).data;
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** The next statement that would run waits for `release`; `begun` settles when it does. */
function holdNext() {
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const { pool } = lakes.lake;
  const original = pool.withDatabase.bind(pool);
  const spy = vi.spyOn(pool, "withDatabase").mockImplementationOnce(async (use, signal, work) => {
    spy.mockRestore();
    begin();
    await held;
    return original(use, signal, work);
  });
  return { begun, release };
}

describe("the same statement from many at once", () => {
  it("runs once", async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => ask(SLOW)));
    expect(answers.map(({ status }) => status).sort()).toEqual([MISS, ...Array<string>(7).fill(HIT)].sort());
    expect(new Set(answers.map((answer) => JSON.stringify(rowsOf(answer)))).size).toBe(1);
    expect(answers.filter(({ phases }) => phases.run !== undefined)).toHaveLength(1);
    const ids = answers.map(({ text }) => (JSON.parse(text) as { meta: { requestId: string } }).meta.requestId);
    expect(new Set(ids).size).toBe(8);
  });

  it("runs for the others where the one that ran was cancelled", async () => {
    const controller = new AbortController();
    const { begun, release } = holdNext();
    const first = ask(SLOW, { signal: controller.signal }).catch((error: unknown) => error);
    await begun;
    const others = Array.from({ length: 3 }, () => ask(SLOW));
    await pause(50);
    controller.abort(new Failure("cancelled", "Enough."));
    release();
    expect(await first).toMatchObject({ code: "cancelled" });
    const [expected, ...rest] = await Promise.all([ask(SLOW, { invalidate: true }), ...others]);
    for (const answer of rest) expect(rowsOf(answer)).toEqual(rowsOf(expected));
  });

  it("is cancelled for one of those that wait, and for no other", async () => {
    const { begun, release } = holdNext();
    const first = ask(SLOW);
    await begun;
    const controller = new AbortController();
    const second = ask(SLOW, { signal: controller.signal }).catch((error: unknown) => error);
    const third = ask(SLOW);
    await pause(50);
    controller.abort(new Failure("cancelled", "Enough."));
    expect(await second).toMatchObject({ code: "cancelled" });
    release();
    expect(rowsOf(await third)).toEqual(rowsOf(await first));
  });

  it("fails for each with its own failure", async () => {
    const sql = `${SLOW} AND CASE WHEN x.a + y.a = ${2 * (ROWS - 1)} THEN error('late') ELSE true END`;
    const failures = await Promise.allSettled(Array.from({ length: 3 }, () => ask(sql)));
    for (const each of failures) expect(each).toMatchObject({ status: "rejected", reason: { code: "sql_error" } });
  });

  it("does not wait for another's reader", async () => {
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const first = ask(SLOW, {
      write: () => {
        begin();
        return held;
      },
    });
    await begun;
    expect(rowsOf(await ask(SLOW))).toHaveLength(1);
    release();
    await first;
  });

  it("does not wait for a result that is too large to be kept", async () => {
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const sql = `SELECT repeat('x', 1000) AS x, a, ${n} AS test FROM t`;
    let pieces = 0;
    const first = ask(sql, { format: "csv", write: () => (++pieces > 5 ? held : undefined) });
    await expect.poll(() => pieces).toBeGreaterThan(5);
    expect((await ask(sql, { format: "csv" })).status).toBe(MISS);
    release();
    await first;
  });
});

describe("another statement runs by itself", () => {
  it.each<[string, StatementOptions]>([
    ["in another format", { format: "ndjson" }],
    ["with another bound", { rowsMax: 99 }],
    ["where its sender wants no result of before", { invalidate: true }],
  ])("%s", async (_, asked) => {
    const [, other] = await Promise.all([ask(SLOW), ask(SLOW, asked)]);
    expect(other.phases.run).toBeDefined();
  });

  it("with other rights, of which it sees the rows", async () => {
    const filters = [{ member: "a", operator: "lt" as const, values: ["10"] }];
    const grant = lakes.platform.grantFor([[{ schema: "main", table: "t", excludes: [], masks: {}, filters }]]);
    const sql = `SELECT count(*) AS n, ${n} AS test FROM t WHERE a * a % 7 < 9`;
    const [all, few] = await Promise.all([ask(sql), ask(sql, { grant })]);
    expect([rowsOf(all), rowsOf(few)]).toEqual([[{ n: ROWS, test: n }], [{ n: 10, test: n }]]);
  });

  it("after a change of its table, of which it sees the rows", async () => {
    await lakes.ask("CREATE OR REPLACE TABLE changing AS SELECT 1 AS b");
    const sql = `SELECT (SELECT sum(b) FROM changing)::INTEGER AS s, * FROM (${SLOW})`;
    const before = ask(sql);
    await lakes.ask("INSERT INTO changing VALUES (5)");
    const after = ask(sql);
    expect([rowsOf(await before), rowsOf(await after)]).toMatchObject([[{ s: 1 }], [{ s: 6 }]]);
  });

  it("where it means something else each time", async () => {
    const sql = `SELECT random() AS r, * FROM (${SLOW})`;
    const [first, second] = await Promise.all([ask(sql), ask(sql)]);
    expect(rowsOf(first)).not.toEqual(rowsOf(second));
  });
});
