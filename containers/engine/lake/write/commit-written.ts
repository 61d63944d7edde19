// The commit of a statement that writes. By the catalog's rules rows that were added since conflict with rows that are
// deleted, and the other way round. Where what was written is right for a later snapshot too, it is committed from that
// one instead of being written again.

import { Failure } from "../../core/failure.ts";
import type { LakeGrant } from "../../../../kernel/wire/engine.ts";
import type { WriteTask, Written } from "./task.ts";
import { backOff } from "./after-conflict.ts";
import { findTable } from "./table-names.ts";
import { Writer } from "./writer.ts";

const TRIES = 10;

/** Commits. Answers the conflict that stopped it, if there was one. `given`: the grant that the statement came with. */
export async function commitWritten(
  task: WriteTask,
  { changes, holds }: Written,
  given: LakeGrant,
): Promise<Failure | undefined> {
  const { lake, writer, sql, phases, signal } = task;
  let { snapshotId } = writer.grant;
  for (let attempt = 1; ; attempt++) {
    try {
      await writer.commit(sql, changes, snapshotId);
      return undefined;
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== "conflict") throw error;
      if (!holds || attempt === TRIES) return error;
      await backOff(attempt, signal);
      const { grant } = await Writer.open(lake.env, given, { adds: false }, { phases, signal });
      if (!(await stillHolds(task, grant, holds))) return error;
      ({ snapshotId } = grant);
    }
  }
}

async function stillHolds(
  { lake, phases, signal }: WriteTask,
  now: LakeGrant,
  { table, files }: NonNullable<Written["holds"]>,
): Promise<boolean> {
  const found = findTable(await phases.time("describe", () => lake.catalog.describe(now, signal)), table);
  // The version is that of its rows as well.
  if (!found || JSON.stringify({ ...found, version: table.version }) !== JSON.stringify(table)) return false;
  if (files.length === 0) return true;
  const [plan] = await phases.time("plan", () => lake.catalog.plan(now, [found], signal));
  const there = new Map(plan!.files.map((file) => [file.id, file]));
  return files.every(({ id, deletes }) => there.has(id) && there.get(id)!.deletes?.id === deletes?.id);
}
