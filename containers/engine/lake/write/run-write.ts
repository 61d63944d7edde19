// A statement that writes, from its text to its snapshot: plan, write in the locked database, upload, commit. Each try
// begins at the newest snapshot; files of a try that was not committed are in no snapshot.

import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { foldName } from "../../duckdb/names.ts";
import { retryOnFullDisk } from "../../core/disk.ts";
import { Failure } from "../../core/failure.ts";
import type { LakeDescription, LakeTableName } from "../../../../kernel/lake/lake.ts";
import type { LakeGrant } from "../../../../kernel/wire/engine.ts";
import { WRITE_FORBIDDEN } from "../../../../kernel/wire/failure-text.ts";
import type { Statement } from "../../core/statement.ts";
import type { ByteSink } from "../../core/sink.ts";
import { KeyedMutex } from "../../../program/semaphore.ts";
import { WRITES, type Lake } from "../read/lake.ts";
import { answerOf, type WriteAnswer } from "./answer-write.ts";
import { againAfterConflict, type Attempted } from "./after-conflict.ts";
import { commitWritten } from "./commit-written.ts";
import { changeDefinition } from "./changes/change-definitions.ts";
import { changeRows, insertRows } from "./changes/change-rows.ts";
import { changeComment } from "./changes/change-comment.ts";
import type { NameParts } from "./parse/token-cursor.ts";
import type { WriteStatement } from "./parse/statement.ts";
import { lookUpTable, tableName } from "./table-names.ts";
import type { WriteTask, Written } from "./task.ts";
import { Writer } from "./writer.ts";

let directories = 0;
/** Statements that conflicted go on one after another, so that they do not conflict again. */
const conflicting = new KeyedMutex();

/** A statement that writes, as it was sent. */
export type WriteRequest = {
  lake: Lake;
  write: WriteStatement;
  statement: Statement;
  grant: LakeGrant;
  signal: AbortSignal;
};

/** Rejects with a Failure while nothing is committed; afterwards it answers. */
export async function runWrite(request: WriteRequest, sink: ByteSink): Promise<void> {
  const startedAt = performance.now();
  const last = await writeUntilDone(request);
  if ("conflict" in last) throw last.conflict;
  await sink.write(answerOf(request.statement, last.answer, startedAt));
}

async function writeUntilDone(request: WriteRequest): Promise<Attempted<WriteAnswer>> {
  const { lake, grant, signal } = request;
  const attempt = (): Promise<Attempted<WriteAnswer>> => retryOnFullDisk(() => runOnce(request));
  try {
    const first = await attempt();
    if ("answer" in first) return first;
    return await conflicting.run(conflictKey(request), () => againAfterConflict(attempt, first, signal), signal);
  } catch (error) {
    // The sender may be gone: an expired lease is one reason for an abort.
    if (signal.aborted) void Writer.end(lake.env, grant);
    throw error;
  }
}

/** Statements that may conflict: those about tables of one name, whatever their schemas. */
const conflictKey = ({ write, grant: { lakeId } }: WriteRequest): string =>
  `${lakeId} ${"table" in write ? foldName(write.table.at(-1)!) : ""}`;

/** Statements that add rows. A team whose plan allows no more data can still delete, change and define. */
const ADDING: readonly WriteStatement["kind"][] = ["insert", "merge", "create_table_as"];

/** One try: the newest snapshot, the changes, the commit. */
async function runOnce({
  lake,
  write,
  statement,
  grant: given,
  signal,
}: WriteRequest): Promise<Attempted<WriteAnswer>> {
  const { sql, values, phases } = statement;
  const describe = (grant: LakeGrant): Promise<LakeDescription> =>
    phases.time("describe", () => lake.catalog.describe(grant, signal));
  if (given.isReadOnly) throw new Failure("forbidden", WRITE_FORBIDDEN);
  const before = await describe(given);
  const table = "table" in write ? ownable(write, before) : undefined;
  const adds = ADDING.includes(write.kind);
  const writer = await Writer.open(lake.env, given, { ...(table && { table }), adds }, { phases, signal });
  // A part of the table, written back, would be taken for the whole.
  if (before.tables.some(({ view }) => view !== "whole"))
    throw new Failure("statement_refused", "Who sees a part of the lake can't write to it.");
  const { grant } = writer;
  const description = await describe(grant);
  const directory = join(WRITES, String(++directories));
  const task: WriteTask = { lake, sql, values, writer, grant, description, directory, phases, signal };
  await mkdir(join(lake.settings.cacheDirectory, directory), { recursive: true });
  try {
    const written = await changesOf(task, write);
    signal.throwIfAborted();
    const conflict = written.changes.length > 0 ? await commitWritten(task, written, given) : undefined;
    return conflict ? { conflict, base: grant.snapshotId } : { answer: written.answer };
  } finally {
    await rm(join(lake.settings.cacheDirectory, directory), { recursive: true, force: true });
  }
}

/** The table that the statement changes, as it is spelled: a sync may not own it. Undefined where it need not exist. */
function ownable(
  write: Extract<WriteStatement, { table: NameParts }>,
  description: LakeDescription,
): LakeTableName | undefined {
  const found = lookUpTable(write.table, description);
  if (found) return { schema: found.schema, name: found.name };
  if ("ifExists" in write && write.ifExists) return undefined;
  return tableName(write.table, description);
}

function changesOf(task: WriteTask, write: WriteStatement): Promise<Written> {
  switch (write.kind) {
    case "insert":
      return insertRows(task, write);
    case "delete":
    case "update":
    case "merge":
    case "truncate":
      return changeRows(task, write);
    case "comment":
      return changeComment(task, write);
    default:
      return changeDefinition(task, write);
  }
}
