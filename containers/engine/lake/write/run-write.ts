// A statement that writes, from its text to its snapshot: plan, write in the jail, upload, commit. Each try begins at the
// newest snapshot; what a try leaves behind that was not committed, no snapshot names.

import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { Failure } from "../../failure.ts";
import type { LakeDescription } from "../../lake-protocol.ts";
import type { LakeGrant, Statement } from "../../protocol.ts";
import type { ByteSink } from "../../sink.ts";
import { WRITES, type Lake } from "../lake.ts";
import { answerOf, type WriteAnswer } from "./answer-write.ts";
import { changesOfDefinition } from "./define.ts";
import { changeRows, insertRows } from "./change-rows.ts";
import type { NameParts } from "./cursor.ts";
import type { WriteStatement } from "./statement.ts";
import { lookUpTable, tableName } from "./table-names.ts";
import type { Task, Written } from "./task.ts";
import { Writer } from "./writer.ts";

/** After another commit came first, once more from what it made. */
const TRIES = 2;

let directories = 0;

/** Rejects with a Failure while nothing is committed; afterwards it answers. */
export async function runWrite(lake: Lake, write: WriteStatement, statement: Statement, grant: LakeGrant, signal: AbortSignal, sink: ByteSink): Promise<void> {
  const startedAt = performance.now();
  for (let attempt = 1; ; attempt++) {
    try {
      const answer = await runOnce(lake, write, statement.sql, grant, signal);
      await sink.write(answerOf(statement, answer, startedAt));
      return;
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== "conflict" || attempt === TRIES) throw error;
    }
  }
}

async function runOnce(lake: Lake, write: WriteStatement, sql: string, given: LakeGrant, signal: AbortSignal): Promise<WriteAnswer> {
  const before = given.writer === undefined ? undefined : await lake.plans.describe(given, signal);
  const writer = await Writer.open(lake.env, given, before && "table" in write ? ownable(write, before) : undefined, signal);
  const { grant } = writer;
  const description = await lake.plans.describe(grant, signal);
  const directory = join(WRITES, String(++directories));
  const task: Task = { lake, sql, writer, grant, description, directory, signal };
  await mkdir(join(lake.settings.cacheDirectory, directory), { recursive: true });
  try {
    const { changes, answer } = await carry(task, write);
    signal.throwIfAborted();
    if (changes.length > 0) await writer.commit(sql, changes);
    return answer;
  } finally {
    await rm(join(lake.settings.cacheDirectory, directory), { recursive: true, force: true });
  }
}

/** The table that no sync may own, as it is spelled. What need not exist need not be found. */
function ownable(write: Extract<WriteStatement, { table: NameParts }>, description: LakeDescription): { schema: string; name: string } | undefined {
  const found = lookUpTable(write.table, description);
  if (found) return { schema: found.schema, name: found.name };
  if ("ifExists" in write && write.ifExists) return undefined;
  return tableName(write.table, description);
}

function carry(task: Task, write: WriteStatement): Promise<Written> {
  switch (write.kind) {
    case "insert":
      return insertRows(task, write);
    case "delete":
    case "update":
    case "merge":
    case "truncate":
      return changeRows(task, write);
    default:
      return changesOfDefinition(task, write);
  }
}
