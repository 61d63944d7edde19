// Columns that are known of a text are those of every text that differs from it in constants of filters alone.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { toFailure, type Failure } from "../../../../containers/engine/core/failure.ts";
import type { Column } from "../../../../containers/engine/formats/result.ts";
import { KnownShapes } from "../../../../containers/engine/lake/process/kept-databases.ts";
import { LockedDatabase } from "../../../../containers/engine/lake/process/locked-database.ts";
import { streamResult } from "../../../../containers/engine/lake/process/results/stream-result.ts";
import { Gate } from "../../../../containers/engine/lake/sql/gate.ts";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

let gate: Gate;
let database: LockedDatabase;
const folder = mkdtempSync(join(tmpdir(), "fjord-known-shapes-"));
beforeAll(async () => {
  gate = await Gate.open();
  database = await LockedDatabase.open({ threads: 1, memoryMb: 256, spillMb: 16 }, join(folder, "spill"));
  await database.setUp(["CREATE TABLE t AS SELECT i::TINYINT AS i, 's' || i AS s FROM range(100) r(i)"], []);
});
afterAll(() => {
  database.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Keeps shapes, and counts how often one was known. */
class CountedShapes extends KnownShapes {
  known = 0;
  override get(key: string) {
    const shape = super.get(key);
    if (shape) this.known++;
    return shape;
  }
}

type Answer = { columns: Column[]; text: string } | { failure: ReturnType<Failure["toJSON"]> };

async function answer(sql: string, shapes?: KnownShapes): Promise<Answer> {
  const { body, explain, isSteady, plain } = await gate.analyse(sql);
  const session = await database.openSession();
  const found: { columns: Column[]; text: string } = { columns: [], text: "" };
  const order = {
    body,
    explain,
    isSteady,
    filters: plain.filter(({ isFilter }) => isFilter),
    setup: [],
    paths: [],
    requestId: "r",
    values: [],
    result: { format: "json" as const, numbers: "exact" as const, rowsMax: 100, bytesMax: 100_000 },
  };
  const taker = {
    check: () => undefined,
    columns: (columns: Column[]) => void (found.columns = columns),
    data: (bytes: Uint8Array) => void (found.text += Buffer.from(bytes).toString()),
  };
  try {
    await streamResult(session, order, taker, shapes);
    return found;
  } catch (error) {
    return { failure: toFailure(error).toJSON() };
  } finally {
    expect(await database.closeSession(session)).toBe(true);
  }
}

describe("a statement whose columns are known of another", () => {
  it.each([
    ["SELECT i, s FROM t WHERE i > 97", "SELECT i, s FROM t WHERE i > 5 ", "SELECT i, s FROM t WHERE i > 1000"],
    ["SELECT i + 1 FROM t WHERE s = 's1'", "SELECT i + 1 FROM t WHERE s = 's22'", "SELECT i + 1 FROM t WHERE s = ''"],
    ["SELECT * FROM t WHERE i * 1.5 > 3.0 LIMIT 2", "SELECT * FROM t WHERE i * 1.25 > 3.123 LIMIT 1"],
  ])("answers as it does alone: %s", async (...statements) => {
    const shapes = new CountedShapes();
    for (const sql of statements) expect(await answer(sql, shapes), sql).toEqual(await answer(sql));
    expect(shapes.known).toBe(statements.length - 1);
  });

  it.each([
    ["SELECT 5, i + 1 FROM t WHERE i = 1", "SELECT 500, i + 1000 FROM t WHERE i = 1"],
    ["SELECT count(*) FILTER (i > 5) FROM t", "SELECT count(*) FILTER (i > 6) FROM t"],
    ["SELECT (SELECT max(i) FROM t WHERE i < 5)", "SELECT (SELECT max(i) FROM t WHERE i < 6)"],
  ])("is another where a constant decides its columns: %s", async (...statements) => {
    const shapes = new CountedShapes();
    const answers: Answer[] = [];
    for (const sql of statements) answers.push(await answer(sql, shapes));
    expect(answers).toEqual(await Promise.all(statements.map((sql) => answer(sql))));
    expect(answers[0]).not.toEqual(answers[1]);
    expect(shapes.known).toBe(0);
  });

  it.each([
    ["SELECT i FROM t WHERE i > CAST('5' AS TINYINT)", "SELECT i FROM t WHERE i > CAST('500' AS TINYINT)"],
    [
      "SELECT i FROM t WHERE DATE '2026-01-01' > DATE '2025-01-01'",
      "SELECT i FROM t WHERE DATE '2026-13-01' > DATE '1'",
    ],
    ["SELECT i FROM t WHERE i = 1 / 1", "SELECT i FROM t WHERE i = 1 / 0"],
  ])("fails in the words, and at the place, of its own text: %s", async (first, other) => {
    const shapes = new CountedShapes();
    await answer(first, shapes);
    expect(await answer(other, shapes)).toEqual(await answer(other));
    expect(shapes.known).toBe(1);
    expect(await answer(first, shapes)).toEqual(await answer(first));
  });
});
