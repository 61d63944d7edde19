// What a full read leaves to the next run: a checksum of the keys that went into the lake, made part by part.

import { quoteLiteral } from "../../../duckdb/quoting.ts";
import { READ_ALL } from "../../../extract/read-all-reasons.ts";
import type { StagingDatabase } from "../../../extract/staging-database.ts";
import type { LakeColumn } from "../../../contract/lake.ts";
import type { Baseline } from "../commit/checkpoint.ts";
import { note } from "../progress/progress.ts";
import { withConnection } from "../rows/scratch-tables.ts";
import type { PreparedTable } from "../sync-run.ts";
import type { NewBaseline } from "./find-changes.ts";
import { addChecksums, checksumKeys, checksumOfDigests, EMPTY_CHECKSUM, isSameChecksum } from "./key-checksum.ts";
import { addRangeChecksums, checksumRanges, coarsened, NO_CHECKSUMS } from "./range-checksums.ts";

/** `add` takes each part before it is uploaded; `end` answers with the baseline that fits all of them. */
export type ReadKeysChecksum = { add(file: string): Promise<void>; end(): Baseline | null };

export function checksumReadKeys(
  { run: { staging }, table, progress }: PreparedTable,
  baseline: NewBaseline,
): ReadKeysChecksum {
  // In the order of the key, as a merge checksums them.
  const keys = table.primaryKey.map((key) => table.columns.find(({ name }) => name === key)!.lake);
  if (baseline?.kind === "postgres") return checksumForPostgres(staging, keys, baseline);
  if (baseline?.kind === "mysql")
    return checksumForMysql(staging, keys, baseline, () => note(progress, READ_ALL.keySumsDiffer));
  return { add: () => Promise.resolve(), end: () => baseline };
}

const rowsOf = (file: string): string => `FROM read_parquet(${quoteLiteral(file)})`;

function checksumForPostgres(
  staging: StagingDatabase,
  keys: readonly LakeColumn[],
  baseline: Extract<NewBaseline, { kind: "postgres" }>,
): ReadKeysChecksum {
  let total = NO_CHECKSUMS;
  return {
    async add(file) {
      const part = await withConnection(staging, (connection) => checksumRanges(connection, rowsOf(file), keys));
      total = addRangeChecksums(total, part);
    },
    end: () => ({ ...baseline, keys: coarsened(total) }),
  };
}

/** MySQL has summed the keys itself: of a key that the two write differently, no later merge could be checked. */
function checksumForMysql(
  staging: StagingDatabase,
  keys: readonly LakeColumn[],
  baseline: Extract<NewBaseline, { kind: "mysql" }>,
  onDifference: () => void,
): ReadKeysChecksum {
  let total = EMPTY_CHECKSUM;
  return {
    async add(file) {
      const part = await withConnection(staging, (connection) =>
        checksumKeys(connection, rowsOf(file), keys, "by_mysql"),
      );
      total = addChecksums(total, part);
    },
    end() {
      if (isSameChecksum(total, checksumOfDigests(baseline.digests))) return baseline;
      onDifference();
      return null;
    },
  };
}
