// What a full read leaves to the next run: the keys that went into the lake, summed part by part.

import { quoteLiteral } from "../../../duckdb/quoting.ts";
import type { NewBaseline } from "./find-changes.ts";
import { addChecksums, isSameChecksum, EMPTY_CHECKSUM, checksumKeys, checksumOfDigests } from "./key-checksum.ts";
import { addRangeChecksums, coarsened, NO_CHECKSUMS, checksumRanges } from "./range-checksums.ts";
import { note } from "../progress/progress.ts";
import type { PreparedTable } from "../sync-run.ts";
import type { Baseline } from "../commit/checkpoint.ts";

/** Sees each part before it goes, and then answers with the memory that fits them. */
export type ReadKeysChecksum = { add(file: string): Promise<void>; end(): Baseline | null };

export function checksumReadKeys(
  { run: { staging }, table, progress }: PreparedTable,
  memory: NewBaseline,
): ReadKeysChecksum {
  // In the order of the key, as a merge sums them.
  const keys = table.primaryKey.map((key) => table.columns.find(({ name }) => name === key)!.lake);
  const sum = async <T>(make: (connection: Awaited<ReturnType<typeof staging.connect>>) => Promise<T>): Promise<T> => {
    const connection = await staging.connect();
    try {
      return await make(connection);
    } finally {
      connection.closeSync();
    }
  };
  const rowsOf = (file: string): string => `FROM read_parquet(${quoteLiteral(file)})`;
  if (memory?.kind === "postgres") {
    let spans = NO_CHECKSUMS;
    return {
      add: async (file) =>
        void (spans = addRangeChecksums(
          spans,
          await sum((connection) => checksumRanges(connection, rowsOf(file), keys)),
        )),
      end: () => ({ ...memory, keys: coarsened(spans) }),
    };
  }
  if (memory?.kind === "mysql") {
    let read = EMPTY_CHECKSUM;
    return {
      add: async (file) =>
        void (read = addChecksums(
          read,
          await sum((connection) => checksumKeys(connection, rowsOf(file), keys, "by_mysql")),
        )),
      end() {
        if (isSameChecksum(read, checksumOfDigests(memory.digests))) return memory;
        // Of a key that the two write differently, no later merge could be checked.
        note(
          progress,
          "The server's sum of the keys is not that of the rows it sent, so the next run reads all of it again.",
        );
        return null;
      },
    };
  }
  return { add: () => Promise.resolve(), end: () => memory };
}
