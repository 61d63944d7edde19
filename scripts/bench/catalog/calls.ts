// The calls that the bench makes of a catalog: what readers, writers and maintenance ask of a table, and of the lake.

import type { Predicate } from "../../../kernel/lake/lake.ts";
import { tableOf, type Holder } from "./call.ts";
import { ROWS_PER_FILE } from "./worker/new-files.ts";

export type NamedCall = { name: string; method: string; given: unknown[] };

/** `files` are those of the first table, `head` is the newest snapshot. */
export type FirstTable = { head: number; tableId: number; files: number };

const TABLE = tableOf(0);
const READER = "everything";

export function readCalls({ head, tableId, files }: FirstTable): NamedCall[] {
  const middle = String(Math.floor(files / 2) * ROWS_PER_FILE + 1);
  const plan = (name: string, ...predicates: Predicate[]): NamedCall => ({
    name,
    method: "plan",
    given: [head, [tableId], READER, { ...(predicates.length > 0 && { anyOf: [predicates] }) }],
  });
  return [
    { name: "what a statement asks first", method: "peekReader", given: [READER] },
    { name: "describe, one table named", method: "describeNamed", given: [head, { names: [TABLE.name] }, READER] },
    plan("plan, all files"),
    plan("plan, one file left", { columnId: 1, op: "=", values: [middle] }),
    plan("plan, half of the files left", { columnId: 1, op: "<", values: [middle] }),
    plan("plan, by two columns", { columnId: 1, op: "=", values: [middle] }, { columnId: 3, op: ">", values: ["8"] }),
    {
      name: "paths of 500 files",
      method: "pathsOf",
      given: [head, Array.from({ length: 500 }, (_, at) => at), READER],
    },
    { name: "list of tables", method: "browseTables", given: [1_000, READER] },
    { name: "one table", method: "browseTable", given: [TABLE, READER] },
    { name: "a table's snapshots", method: "browseSnapshots", given: [TABLE, 200, READER] },
  ];
}

export const maintenanceCalls = (holder: Holder): NamedCall[] => [
  { name: "figures of the lake", method: "measure", given: [1_000] },
  { name: "compaction, first plan", method: "planCompaction", given: [holder, { step: "merge" }] },
  { name: "dry run of a maintenance", method: "dryRunMaintenance", given: ["full", 100] },
  { name: "exact statistics, first step", method: "makeStatisticsExact", given: [null] },
  {
    name: "states of 1,000 objects",
    method: "statesOfObjects",
    given: [Array.from({ length: 1_000 }, (_, at) => `main/t0/none-${at}.parquet`)],
  },
];
