// A table whose every snapshot keeps one rule, so that a reader sees a lost, a deleted or a half-changed row without
// asking anybody: each of its batches is whole, they follow each other, and all rows have one stamp.

import { expect } from "vitest";
import { call } from "../../../e2e/client.ts";
import type { ClientTable, TableName } from "./engine-client.ts";

export const LEDGER: TableName = ["engines", "ledger"];
const TABLE = `LAKE.${LEDGER.join(".")}`;
const BATCH_ROWS = 10;
const BATCHES = 12;

export type Ledger = {
  create(): Promise<void>;
  /** Commits a change: a new batch, a new stamp, or the end of the oldest batch. */
  change(): Promise<void>;
  changes(): number;
};

export function openLedger(options: () => { baseUrl: string; key: string }): Ledger {
  let [first, next, stamp, changes] = [0, 0, 0, 0];
  const run = async (sql: string): Promise<void> => {
    const { status, body } = await call("POST", "/v1/query", { ...options(), body: { sql } });
    expect(status, JSON.stringify(body)).toBe(200);
  };
  const add = (): Promise<void> =>
    run(`INSERT INTO ${TABLE} SELECT ${next++}, n, ${stamp}, repeat('x', 200) FROM range(${BATCH_ROWS}) AS rows (n)`);
  return {
    async create() {
      await run(`CREATE SCHEMA LAKE.${LEDGER[0]}`);
      await run(`CREATE TABLE ${TABLE} (batch INTEGER, n INTEGER, stamp INTEGER, note VARCHAR)`);
      await add();
      await add();
    },
    async change() {
      if (next - first > BATCHES) await run(`DELETE FROM ${TABLE} WHERE batch = ${first++}`);
      else if (changes % 3 === 2) await run(`UPDATE ${TABLE} SET stamp = ${++stamp}`);
      else await add();
      changes++;
    },
    changes: () => changes,
  };
}

/** What is wrong with the rows; undefined where nothing is. */
export function flawOf({ columns, rows }: ClientTable): string | undefined {
  const [batch, n, stamp] = ["batch", "n", "stamp"].map((name) => columns.indexOf(name)) as [number, number, number];
  if (new Set(rows.map((row) => row[stamp])).size !== 1) return `stamps ${[...new Set(rows.map((row) => row[stamp]))]}`;
  const batches = Map.groupBy(rows, (row) => Number(row[batch]));
  const numbers = [...batches.keys()].sort((one, other) => one - other);
  if (numbers.at(-1)! - numbers[0]! !== numbers.length - 1) return `batches ${numbers}`;
  for (const [number, members] of batches) {
    const found = members.map((row) => Number(row[n])).sort((one, other) => one - other);
    if (found.join() !== [...Array(BATCH_ROWS).keys()].join()) return `batch ${number} has ${found}`;
  }
  return undefined;
}
