import { describe, expect, it } from "vitest";
import fc from "fast-check";
import type { LakeChange } from "../../../../kernel/lake/commit.ts";
import { valueOf } from "../../../../src/core/answer.ts";
import { append, createTable, newLake, newWriter, rowsOf, type TestLake } from "../../../support/unit/lake.ts";

const NAMES = ["a", "b", "c"] as const;

type Step = { table: (typeof NAMES)[number]; act: "create" | "append" | "both"; files: number[]; repeatsKey: boolean };

const step: fc.Arbitrary<Step> = fc.record({
  table: fc.constantFrom(...NAMES),
  act: fc.constantFrom("create", "append", "append", "both"),
  files: fc.array(fc.integer({ min: 0, max: 1_000 }), { minLength: 1, maxLength: 4 }),
  repeatsKey: fc.boolean(),
});

/** What a lake should hold: per table, each file's rows and the snapshot it came with. */
type Model = {
  snapshotId: number;
  tables: Map<string, { rows: number; since: number }[]>;
  firstOfKey: Map<string, number>;
};

describe("any interleaving of creates and appends", () => {
  it("leaves the lake a plain model says it should", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 1, max: 4 }),
        async (steps, atOnce) => {
          const lake = newLake();
          const writer = await newWriter(lake);
          const model: Model = { snapshotId: 0, tables: new Map(), firstOfKey: new Map() };
          for (let at = 0; at < steps.length; at += atOnce) {
            // Commits sent together arrive in the order they were sent, whatever else they overlap with.
            const together = steps.slice(at, at + atOnce).map((each, offset) => {
              const key = each.repeatsKey ? each.table : `step ${at + offset}`;
              return { ...each, key, answer: writer.commit(changesOf(each, writer), { key }) };
            });
            for (const { answer, ...each } of together) expect(await answer).toMatchObject(applyTo(model, each));
          }
          await audit(lake, model);
        },
      ),
      { numRuns: 40 },
    );
  });
});

function changesOf({ table, act, files }: Step, writer: Awaited<ReturnType<typeof newWriter>>): LakeChange[] {
  const create = createTable("s", table);
  const add = append("s", table, ...files.map((rows) => writer.file("s", table, rows)));
  return act === "create" ? [create] : act === "append" ? [add] : [create, add];
}

/** Moves the model on, and says what the catalog must have answered. */
function applyTo(model: Model, { table, act, files, key }: Step & { key: string }): object {
  const first = model.firstOfKey.get(key);
  if (first !== undefined) return { ok: true, value: { snapshotId: first, replayed: true } };
  if (model.tables.has(table) === (act !== "append")) return { ok: false, refusal: { code: "resource_conflict" } };
  const since = ++model.snapshotId;
  const added = act === "create" ? [] : files.map((rows) => ({ rows, since }));
  model.tables.set(table, [...(model.tables.get(table) ?? []), ...added]);
  model.firstOfKey.set(key, since);
  return { ok: true, value: { snapshotId: since, replayed: false } };
}

/** The auditor: every snapshot shows exactly its own past, and the sums add up. */
async function audit(lake: TestLake, model: Model): Promise<void> {
  expect(await lake.catalog.currentSnapshot()).toEqual({ snapshotId: model.snapshotId });
  const snapshots = await rowsOf(lake, "SELECT snapshot_id AS id FROM ducklake_snapshot ORDER BY id");
  expect(snapshots.map(({ id }) => id)).toEqual(Array.from({ length: model.snapshotId + 1 }, (_, id) => id));

  const { tables } = valueOf(await lake.catalog.describe(model.snapshotId, "everything"));
  expect(tables.map(({ name }) => name)).toEqual([...model.tables.keys()].sort());
  for (let snapshotId = 0; snapshotId <= model.snapshotId; snapshotId++) {
    for (const { tableId, name } of tables) {
      const seen = valueOf(await lake.catalog.plan(snapshotId, [tableId], "everything")).flatMap(({ files }) =>
        files.map(({ rows }) => rows),
      );
      expect(seen).toEqual(
        model.tables
          .get(name)!
          .filter(({ since }) => since <= snapshotId)
          .map(({ rows }) => rows),
      );
    }
  }

  const sum = (name: string): number => model.tables.get(name)!.reduce((total, { rows }) => total + rows, 0);
  expect(await lake.catalog.listTables("s")).toEqual(
    tables.map(({ name }) => ({ schema: "s", name, rows: sum(name) })),
  );
  expect(
    await rowsOf(lake, "SELECT data_file_id FROM ducklake_data_file GROUP BY data_file_id HAVING count(*) > 1"),
  ).toEqual([]);
  // Row ids run on without a gap or an overlap.
  const gaps = `SELECT * FROM (SELECT row_id_start, coalesce(sum(record_count) OVER (PARTITION BY table_id ORDER BY data_file_id
    ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS expected FROM ducklake_data_file) WHERE row_id_start <> expected`;
  expect(await rowsOf(lake, gaps)).toEqual([]);
}
