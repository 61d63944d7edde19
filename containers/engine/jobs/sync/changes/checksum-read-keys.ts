// A full read leaves a checksum of the keys that went into the lake to the next run. It is made part by part.

import type { DuckDBConnection } from "@duckdb/node-api";
import { quoteLiteral } from "../../../duckdb/quoting.ts";
import { READ_ALL } from "../../../extract/changes/read-all-reasons.ts";
import type { LakeColumn } from "../../../../../kernel/lake/lake.ts";
import type { NewBaseline } from "../../../extract/changes/changes.ts";
import type { Baseline } from "../commit/checkpoint.ts";
import { note } from "../progress/progress.ts";
import { withConnection } from "../rows/scratch-tables.ts";
import type { PreparedTable, SyncRun } from "../sync-run.ts";
import {
  addChecksums,
  checksumKeys,
  EMPTY_CHECKSUM,
  isSameChecksum,
  ownDigest,
} from "../../../extract/changes/key-checksum.ts";
import { addRangeChecksums, checksumRanges, coarsened, NO_CHECKSUMS } from "./range-checksums.ts";

/** `add` takes each part, also several at once; `end` answers with the baseline that fits all of them. */
export type ReadKeysChecksum = { add(file: string): Promise<void>; end(): Promise<Baseline | null> };

export function checksumReadKeys(
  { run, table, progress }: PreparedTable,
  baseline: NewBaseline | null,
): ReadKeysChecksum {
  // In the order of the key, as a merge checksums them.
  const keys = table.primaryKey.map((key) => table.columns.find(({ name }) => name === key)!.lake);
  if (baseline?.kind === "mark") return checksumHere(run, keys, baseline);
  if (baseline?.kind === "digests")
    return checksumOfSource(run, keys, baseline, () => note(progress, READ_ALL.keySumsDiffer.note));
  return { add: () => Promise.resolve(), end: () => Promise.resolve(baseline) };
}

const readFile = <T>({ staging, signal }: SyncRun, read: (connection: DuckDBConnection) => Promise<T>): Promise<T> =>
  staging.readFile(() => withConnection(staging, read), signal);

const rowsOf = (file: string): string => `FROM read_parquet(${quoteLiteral(file)})`;

function checksumHere(
  run: SyncRun,
  keys: readonly LakeColumn[],
  baseline: Extract<NewBaseline, { kind: "mark" }>,
): ReadKeysChecksum {
  let total = NO_CHECKSUMS;
  return {
    async add(file) {
      const part = await readFile(run, async (connection) =>
        checksumRanges(connection, rowsOf(file), keys, await ownDigest(connection)),
      );
      total = addRangeChecksums(total, part);
    },
    async end() {
      // Keys that come to an empty table are checksummed by the same digest.
      const digest = total.digest || (await withConnection(run.staging, ownDigest));
      return { ...baseline, keys: { ...coarsened(total), digest }, wereKeysGone: false };
    },
  };
}

/** The source has summed the keys itself: of a key that the two write differently, no later merge could be checked. */
function checksumOfSource(
  run: SyncRun,
  keys: readonly LakeColumn[],
  baseline: Extract<NewBaseline, { kind: "digests" }>,
  onDifference: () => void,
): ReadKeysChecksum {
  let total = EMPTY_CHECKSUM;
  return {
    async add(file) {
      const part = await readFile(run, (connection) => checksumKeys(connection, rowsOf(file), keys, "sha256"));
      total = addChecksums(total, part);
    },
    async end() {
      if (isSameChecksum(total, baseline.keys)) return { kind: "digests", digests: baseline.digests };
      onDifference();
      return null;
    },
  };
}
