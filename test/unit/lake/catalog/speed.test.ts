import { describe, expect, it } from "vitest";
import type { Predicate } from "../../../../kernel/lake/lake.ts";
import { valueOf } from "../../../../src/core/answer.ts";
import { planTables } from "../../../../src/lake/plan/plan.ts";
import { append, column, createTable, inside, newLake, newWriter, statistics } from "../../../support/unit/lake.ts";

/** Told, not judged: a shared machine's clock proves nothing. */
const print = (what: string, ms: readonly number[]): void => {
  const sorted = [...ms].sort((left, right) => left - right);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!.toFixed(2);
  console.log(`${what}: median ${at(0.5)} ms, p99 ${at(0.99)} ms`);
};

async function measure(times: number, work: (at: number) => Promise<unknown>): Promise<number[]> {
  const taken: number[] = [];
  for (let at = 0; at < times; at++) {
    const startedAt = performance.now();
    await work(at);
    taken.push(performance.now() - startedAt);
  }
  return taken;
}

describe("a table of ten thousand files", () => {
  it("is planned whole and by its statistics", async () => {
    const lake = newLake();
    const writer = await newWriter(lake);
    await writer.commit([
      createTable("main", "t", [column(1, "n"), column(2, "s", "varchar"), column(3, "d", "decimal(18,2)")]),
    ]);
    for (let part = 0; part < 10; part++) {
      const files = Array.from({ length: 1_000 }, (_, at) => {
        const min = (part * 1_000 + at) * 100;
        const bounds = [1, 2, 3].map((id) =>
          statistics(id, 100, {
            min: id === 2 ? `k${String(min).padStart(9, "0")}` : String(min),
            max: id === 2 ? `k${String(min + 99).padStart(9, "0")}` : String(min + 99),
          }),
        );
        return writer.file("main", "t", 100, { statistics: bounds });
      });
      valueOf(await writer.commit([append("main", "t", ...files)]));
    }
    const whole = () => lake.catalog.plan(11, [1], "everything");
    const narrow = () =>
      lake.catalog.plan(11, [1], "everything", { anyOf: [[{ columnId: 1, op: "=", values: ["123456"] }]] });
    const text = () =>
      lake.catalog.plan(11, [1], "everything", { anyOf: [[{ columnId: 2, op: ">=", values: ["k000999000"] }]] });
    expect(valueOf(await whole())[0]?.files).toHaveLength(10_000);
    expect(valueOf(await narrow())[0]?.files).toHaveLength(1);
    expect(valueOf(await text())[0]?.files).toHaveLength(10);
    print("plan of 10,000 files, all, over RPC", await measure(10, whole));
    print("plan of 10,000 files, one by its bounds, over RPC", await measure(10, narrow));
    print("plan of 10,000 files, ten by text bounds, over RPC", await measure(10, text));
    // The clock stands still while the object computes, so many plans are made between two looks at it.
    const asked: Record<string, Predicate[]> = {
      all: [],
      "one by whole numbers": [{ columnId: 1, op: "=", values: ["123456"] }],
      "ten by text": [{ columnId: 2, op: ">=", values: ["k000999000"] }],
      "one by decimals": [{ columnId: 3, op: "=", values: ["123456.00"] }],
      half: [{ columnId: 1, op: "<", values: ["500000"] }],
    };
    for (const [what, predicates] of Object.entries(asked)) {
      const plans = () =>
        inside(
          lake,
          ({ storage }) =>
            void Array.from({ length: 10 }, () =>
              planTables(storage.sql, 11, { tableIds: [1], anyOf: [predicates], reader: "everything" }),
            ),
        );
      const batches = (await measure(3, plans)).map((ms) => ms / 10);
      print(`plan of 10,000 files, ${what}, inside the object (best ${Math.min(...batches).toFixed(1)} ms)`, batches);
    }
  });
});

describe("a lake under many commits", () => {
  it("takes them one after the other, and at once", async () => {
    const lake = newLake();
    const writer = await newWriter(lake);
    const columns = Array.from({ length: 12 }, (_, at) => column(at + 1, `c${at}`));
    await writer.commit([createTable("main", "t", columns)]);
    const all = columns.map(({ id }) => statistics(id, 100, { min: "1", max: "100" }));
    const commit = () =>
      writer.commit([append("main", "t", writer.file("main", "t", 100, { statistics: all }))]).then(valueOf);
    const startedAt = performance.now();
    const taken = await measure(200, commit);
    print(`200 commits one after the other, ${(200_000 / (performance.now() - startedAt)).toFixed(0)} a second`, taken);
    const together = performance.now();
    await Promise.all(Array.from({ length: 200 }, commit));
    console.log(`200 commits at once: ${(200_000 / (performance.now() - together)).toFixed(0)} a second`);
    expect((await lake.catalog.currentSnapshot()).snapshotId).toBe(401);
  });
});
