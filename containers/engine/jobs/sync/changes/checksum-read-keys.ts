// What a full read leaves to the next run: the keys that went into the lake, summed part by part.

import { quoteLiteral } from "../../../duckdb/quoting.ts";
import type { NewMemory } from "./find-changes.ts";
import { addKeys, isSameKeys, NO_KEYS, sumKeys, sumRanges } from "./key-checksum.ts";
import { addSpans, keptSpans, NO_SPANS, sumSpans } from "./range-checksums.ts";
import { note } from "../progress/progress.ts";
import type { Described } from "../sync-run.ts";
import type { Memory } from "../commit/checkpoint.ts";

/** Sees each part before it goes, and then answers with the memory that fits them. */
export type KeyMemory = { add(file: string): Promise<void>; end(): Memory | null };

export function rememberKeys({ run: { staging }, table, progress }: Described, memory: NewMemory): KeyMemory {
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
    let spans = NO_SPANS;
    return {
      add: async (file) =>
        void (spans = addSpans(spans, await sum((connection) => sumSpans(connection, rowsOf(file), keys)))),
      end: () => ({ ...memory, keys: keptSpans(spans) }),
    };
  }
  if (memory?.kind === "mysql") {
    let read = NO_KEYS;
    return {
      add: async (file) =>
        void (read = addKeys(read, await sum((connection) => sumKeys(connection, rowsOf(file), keys, "by_mysql")))),
      end() {
        if (isSameKeys(read, sumRanges(memory.digests))) return memory;
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
