// Finds the changes in a SQL Server table since the last run: by the server's own marks, else by digests that it makes.

import {
  readWholeTable,
  type ChangeRequest,
  type ChangeReport,
  type NewBaseline,
} from "../../../extract/changes/changes.ts";
import { READ_ALL } from "../../../extract/changes/read-all-reasons.ts";
import { findChangedPartitions } from "../../digests/find-changes.ts";
import type { SnapshotRows } from "../../row-collector.ts";
import { findWrittenRows } from "./changed-rows.ts";
import type { SqlServerTable } from "./describe-table.ts";
import { digestDialect } from "./digest-dialect.ts";
import type { SnapshotPosition } from "./position.ts";

/** `hasUtf8`: the server can write a text as UTF-8. `isOneMoment`: all that is read in it is of one moment. */
type Snapshot = SnapshotRows & { position: SnapshotPosition; isOneMoment: boolean; hasUtf8: boolean };

export async function findSqlServerChanges(snapshot: Snapshot, request: ChangeRequest): Promise<ChangeReport> {
  const { before, isFirstRun, signal } = request;
  const table = request.table as SqlServerTable;
  if (!snapshot.isOneMoment) return readWholeTable(READ_ALL.withoutSnapshots);
  if (table.isInMemory) return readWholeTable(READ_ALL.inMemory);
  const earlier = before?.kind === "mark" ? before : undefined;
  const written = await findWrittenRows({ snapshot, position: snapshot.position, table, signal }, earlier?.mark);
  if (!written) return findChangedPartitions(digestDialect(snapshot, table), request);
  const { mark, since } = written;
  const baseline: NewBaseline = { kind: "mark", mark };
  if ("full" in since || !earlier)
    return readWholeTable(isFirstRun || !("full" in since) ? READ_ALL.firstRun : since.full, baseline);
  const changed = {
    wheres: [since.where],
    compared: { kind: "keys" as const },
    keys: { before: earlier.keys, method: "here" as const },
    method: since.method,
  };
  return { changed, baseline };
}
