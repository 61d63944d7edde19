// Tables are pinned for a statement that another engine runs: each has the snapshot that the engine is to read it at,
// and none of these expires while the statement runs.

import type { LakeTableName } from "../../../kernel/lake/lake.ts";
import { accept, type Answer } from "../../core/answer.ts";
import type { Reader } from "../access/readers.ts";
import { acquireLease, recordBase, STATEMENT_LEASES } from "../writers/leases.ts";
import { openTable } from "./open-table.ts";

/** Null where the reader does not read the whole table. `sharesFolder`: the Iceberg catalog serves it to nobody. */
export type Pin = { snapshotId: number; sharesFolder: boolean } | null;

/** The lease ends by itself after `ttlMs`. */
export type ReadHold = { statementId: string; ttlMs: number };

const READ_LEASES = `${STATEMENT_LEASES}read/`;
const leaseOf = (statementId: string): string => READ_LEASES + statementId;

/** A pin of each table, in the order of the names. Where one of them can't be read so, nothing is held. */
export function pinTables(
  storage: DurableObjectStorage,
  { tables, hold }: { tables: readonly LakeTableName[]; hold: ReadHold },
  reader: Reader,
  nowMs: number,
): Answer<Pin[]> {
  return storage.transactionSync(() => {
    const { sql } = storage;
    forgetLapsed(sql, nowMs);
    const pins = tables.map((table) => pinOf(sql, table, reader));
    const bases = pins.flatMap((pin) => (pin && !pin.sharesFolder ? [pin.snapshotId] : []));
    if (bases.length === 0 || bases.length < pins.length) return accept(pins);
    const [lease, { statementId, ttlMs }] = [leaseOf(hold.statementId), hold];
    const held = acquireLease(sql, { name: lease, holder: statementId, ttlMs }, nowMs);
    if (!held.ok) return held;
    recordBase(sql, { lease, fence: held.value.fence }, Math.min(...bases));
    return accept(pins);
  });
}

function pinOf(sql: SqlStorage, table: LakeTableName, reader: Reader): Pin {
  const opened = openTable(sql, table, reader);
  if (!opened.ok) return null;
  const { versions, sharesFolder } = opened.value;
  return { snapshotId: versions.at(-1)!.snapshotId, sharesFolder };
}

/** The statement has ended. Says whether anything was held for it. */
export const releasePins = (sql: SqlStorage, statementId: string): boolean =>
  sql.exec("DELETE FROM fjord_leases WHERE name = ? RETURNING 1", leaseOf(statementId)).toArray().length > 0;

function forgetLapsed(sql: SqlStorage, nowMs: number): void {
  sql.exec("DELETE FROM fjord_leases WHERE name LIKE ?1 || '%' AND expires_at_ms < ?2", READ_LEASES, nowMs);
}
