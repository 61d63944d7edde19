// A full read leaves a checksum of the keys that went into the lake to the next run. It is made part by part.

import { quoteLiteral } from "../../../duckdb/quoting.ts";
import { READ_ALL } from "../../../extract/changes/read-all-reasons.ts";
import type { StagingDatabase } from "../../../extract/staging-database.ts";
import type { LakeColumn } from "../../../../../kernel/lake/lake.ts";
import type { NewBaseline } from "../../../extract/changes/changes.ts";
import type { Baseline } from "../commit/checkpoint.ts";
import { note } from "../progress/progress.ts";
import { withConnection } from "../rows/scratch-tables.ts";
import type { PreparedTable } from "../sync-run.ts";
import {
  addChecksums,
  checksumKeys,
  EMPTY_CHECKSUM,
  isSameChecksum,
  ownDigest,
} from "../../../extract/changes/key-checksum.ts";
import { addRangeChecksums, checksumRanges, coarsened, NO_CHECKSUMS } from "./range-checksums.ts";

/** `add` takes each part, also several at once; `end` answers with the baseline that fits all of them. */
export type ReadKeysChecksum = { add(file: string): Promise<void>; end(): Baseline | null };

export function checksumReadKeys(
  { run: { staging }, table, progress }: PreparedTable,
  baseline: NewBaseline | null,
): ReadKeysChecksum {
  // In the order of the key, as a merge checksums them.
  const keys = table.primaryKey.map((key) => table.columns.find(({ name }) => name === key)!.lake);
  if (baseline?.kind === "mark") return checksumHere(staging, keys, baseline);
  if (baseline?.kind === "digests")
    return checksumOfSource(staging, keys, baseline, () => note(progress, READ_ALL.keySumsDiffer.note));
  return { add: () => Promise.resolve(), end: () => baseline };
}

const rowsOf = (file: string): string => `FROM read_parquet(${quoteLiteral(file)})`;

function checksumHere(
  staging: StagingDatabase,
  keys: readonly LakeColumn[],
  baseline: Extract<NewBaseline, { kind: "mark" }>,
): ReadKeysChecksum {
  let total = NO_CHECKSUMS;
  return {
    async add(file) {
      const part = await withConnection(staging, async (connection) =>
        checksumRanges(connection, rowsOf(file), keys, await ownDigest(connection)),
      );
      total = addRangeChecksums(total, part);
    },
    end: () => ({ ...baseline, keys: coarsened(total) }),
  };
}

/** The source has summed the keys itself: of a key that the two write differently, no later merge could be checked. */
function checksumOfSource(
  staging: StagingDatabase,
  keys: readonly LakeColumn[],
  baseline: Extract<NewBaseline, { kind: "digests" }>,
  onDifference: () => void,
): ReadKeysChecksum {
  let total = EMPTY_CHECKSUM;
  return {
    async add(file) {
      const part = await withConnection(staging, (connection) =>
        checksumKeys(connection, rowsOf(file), keys, "sha256"),
      );
      total = addChecksums(total, part);
    },
    end() {
      if (isSameChecksum(total, baseline.keys)) return { kind: "digests", digests: baseline.digests };
      onDifference();
      return null;
    },
  };
}
