import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { QueryProcess } from "../../../containers/engine/lake/process/query-process.ts";
import { WriteLake } from "../../support/node/lake/write-lake.ts";

let lake: WriteLake;
let tables = 0;
beforeAll(async () => {
  lake = await WriteLake.open();
  await lake.ask("CREATE TABLE few AS SELECT range * 100000 AS id FROM range(3)");
});
afterEach(() => vi.restoreAllMocks());
afterAll(() => lake.close());

const ROWS = 400_000;

/**
 * A table nothing of which is on the local disk yet, of some 26 MB: `id` ascends, `even` has two values, `text` is most
 * of it.
 */
async function newTable(): Promise<string> {
  const name = `cold${++tables}`;
  await lake.ask(
    `CREATE TABLE ${name} AS SELECT range AS id, range % 2 = 0 AS even, hash(range) % 1000 AS number, md5(range::VARCHAR) || md5((-range)::VARCHAR) AS text FROM range(${ROWS})`,
  );
  return name;
}

/** How many rows it says it wrote, and the share of the table's bytes it read. */
async function written(sql: string, table: string): Promise<{ count: unknown; share: number }> {
  const [file] = lake.platform.storage.sql
    .exec<{ bytes: number }>(
      "SELECT sum(file_size_bytes) AS bytes FROM ducklake_data_file f JOIN ducklake_table t USING (table_id) WHERE t.table_name = ? AND f.end_snapshot IS NULL",
      table,
    )
    .toArray();
  const before = lake.platform.bytesRead;
  const count = await lake.count(sql);
  return { count, share: (lake.platform.bytesRead - before) / file!.bytes };
}

/** Which ids there are, in sum, and how many texts are another than was written. */
const state = async (table: string) =>
  (
    await lake.rows(
      `SELECT count(*) AS n, sum(id)::BIGINT AS ids, count(*) FILTER (WHERE text <> md5(id::VARCHAR) || md5((-id)::VARCHAR)) AS changed FROM ${table}`,
    )
  )[0];
const SUM = (ROWS * (ROWS - 1)) / 2;

describe("a statement that changes rows", () => {
  it.each([
    ["DELETE FROM t WHERE id = 300000", 1, 0.1, { n: ROWS - 1, ids: SUM - 300_000, changed: 0 }],
    ["DELETE FROM t WHERE even AND number = 7 AND id < 1000", undefined, 0.2, undefined],
    ["DELETE FROM t WHERE id IN (SELECT id FROM few)", 3, 0.2, { n: ROWS - 3, ids: SUM - 300_000, changed: 0 }],
    ["DELETE FROM t WHERE NOT even", ROWS / 2, 0.1, { n: ROWS / 2, ids: SUM - (ROWS / 2) ** 2, changed: 0 }],
    ["UPDATE t SET text = 'new' WHERE id BETWEEN 390000 AND 390009", 10, 0.4, { n: ROWS, ids: SUM, changed: 10 }],
    [
      "UPDATE t SET text = few.id FROM few WHERE t.id = few.id AND t.id < 1000",
      1,
      0.5,
      { n: ROWS, ids: SUM, changed: 1 },
    ],
    ["INSERT INTO t (id, text) SELECT max(id) + 1, NULL FROM t", 1, 0.2, { n: ROWS + 1, ids: SUM + ROWS, changed: 0 }],
  ] as const)("reads what it needs: %s", async (sql, count, shareMax, after) => {
    const table = await newTable();
    const reported = await written(sql.replaceAll(/\bt\b/g, table), table);
    if (count !== undefined) expect(reported.count).toBe(count);
    expect(reported.share).toBeLessThan(shareMax);
    if (after) expect(await state(table)).toEqual(after);
  });

  it("twice, where rows were deleted before, finds rows by their positions still", async () => {
    const table = await newTable();
    await lake.ask(`DELETE FROM ${table} WHERE id < 150000`);
    expect((await written(`DELETE FROM ${table} WHERE id BETWEEN 149990 AND 150009`, table)).count).toBe(10);
    expect((await written(`UPDATE ${table} SET text = 'x' WHERE id >= 399990`, table)).count).toBe(10);
    expect(await state(table)).toEqual({ n: ROWS - 150_010, ids: SUM - (150_010 * 150_009) / 2, changed: 10 });
  });

  it("reads all of it where its plan read more than was foreseen", async () => {
    const table = await newTable();
    const foreseen = vi
      .spyOn(QueryProcess.prototype, "probe")
      .mockResolvedValue([
        { catalog: "LAKE rows", schema: "main", table, columns: [0], predicate: [[]], skipping: [], rowsMax: null },
      ]);
    const { count, share } = await written(`UPDATE ${table} SET text = upper(text) WHERE id % 100000 = 5`, table);
    expect([count, foreseen.mock.calls.length > 0, share > 0.9]).toEqual([4, true, true]);
    expect(await state(table)).toEqual({ n: ROWS, ids: SUM, changed: 4 });
  });
});
