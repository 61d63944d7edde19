// Tables that were opened with all of their files here, kept so that opening them again takes nothing but a look.

import type { LakeTable } from "../../../../kernel/lake/lake.ts";
import { LruMap } from "../../../../kernel/text/lru-map.ts";
import { tableKey } from "../catalog/catalog-client.ts";
import { readerOf } from "../catalog/reader-of.ts";
import type { OpenTables, TablesToOpen } from "./open-tables.ts";

/** Bytes of memory for what is kept, as near as they are counted. */
const KEPT_BYTES_MAX = 32 * 1024 * 1024;
const FILE_BYTES = 500;

export class KeptTables {
  readonly #kept = new LruMap<OpenTables>(KEPT_BYTES_MAX, ({ setup, paths, tables }) =>
    setup.reduce((sum, sql) => sum + 2 * sql.length, FILE_BYTES * (1 + paths.size + columnsOf(tables))),
  );

  /** Tables opened by an earlier, equal order; undefined where one of their files has left or was never here whole. */
  open(order: TablesToOpen): OpenTables | undefined {
    const key = keyOf(order);
    const kept = this.#kept.get(key);
    const release = kept?.holdWhole();
    if (kept && release) return { ...kept, release };
    this.#kept.delete(key);
    return undefined;
  }

  keep(order: TablesToOpen, { setup, tables, plans, paths, shapes, holdWhole, ...open }: OpenTables): void {
    if (open.isPartial) return;
    const whole = { isPartial: false, reportHole: () => undefined, release: () => undefined };
    this.#kept.set(keyOf(order), { setup, tables, plans, paths, shapes, holdWhole, ...whole });
  }
}

/**
 * The key names the reader, and each table's version: files and columns are the same then. Other tables appear in a
 * statement's metadata as the snapshot has them.
 */
const keyOf = ({ grant, tables, readsMetadata, options = {} }: TablesToOpen): string =>
  JSON.stringify([
    readerOf(grant),
    readsMetadata ? grant.snapshotId : null,
    options,
    tables.map((table) => tableKey(grant, table)),
  ]);

const columnsOf = (tables: readonly LakeTable[]): number =>
  tables.reduce((sum, { columns }) => sum + 1 + columns.length, 0);
