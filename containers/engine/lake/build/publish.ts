// Publishes what a run has staged: tests over the tables as they would be, then one commit of all of them. Its key is
// the run's, so that a repeat after a death writes nothing twice.

import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { LakeChange } from "../../../../kernel/lake/commit.ts";
import type { LakeDescription } from "../../../../kernel/lake/lake.ts";
import type { PublishAnswer, PublishRequest, TestResult } from "../../../../kernel/wire/builds.ts";
import { retryOnFullDisk } from "../../core/disk.ts";
import { Failure } from "../../core/failure.ts";
import { Phases } from "../../core/phases.ts";
import { openObjectStore } from "../../platform/object-store.ts";
import { WRITES, type Lake } from "../read/lake.ts";
import { againAfterConflict, type Attempted } from "../write/after-conflict.ts";
import type { WriteTask } from "../write/task.ts";
import { Writer } from "../write/writer.ts";
import {
  describeBuilt,
  fetchStages,
  hasColumns,
  lakeTableOf,
  type LocalStage,
  type StageFolder,
} from "./built-tables.ts";
import { deletesOf } from "./merge-deletes.ts";
import { keepsBack, runTests } from "./run-tests.ts";

let directories = 0;

/** Rejects with a Failure: `conflict` where the tables, or the notes, are not those that the rows were made for. */
export async function publishTables(request: PublishRequest, lake: Lake, signal: AbortSignal): Promise<PublishAnswer> {
  const attempt = (): Promise<Attempted<PublishAnswer>> => retryOnFullDisk(() => publishOnce(request, lake, signal));
  const last = await againAfterConflict(attempt, await attempt(), signal);
  if ("conflict" in last) throw last.conflict;
  return last.answer;
}

async function publishOnce(
  request: PublishRequest,
  lake: Lake,
  signal: AbortSignal,
): Promise<Attempted<PublishAnswer>> {
  const { lake: given, stages, tests } = request;
  const phases = new Phases();
  const writer = await Writer.open(lake.env, given, { adds: true }, { phases, signal });
  const { grant } = writer;
  const present = await lake.catalog.describe(grant, signal);
  const directory = join(WRITES, `publish-${++directories}`);
  await mkdir(join(lake.settings.cacheDirectory, directory), { recursive: true });
  try {
    const isRead = tests.length > 0 || stages.some(({ staged }) => staged.target.mode === "merge");
    for (const { staged } of stages) lakeTableOf(staged, present);
    const built = isRead ? await fetchStages(stages, present, { lake, directory, signal }) : [];
    const task: WriteTask = {
      lake,
      sql: "",
      values: undefined,
      writer,
      grant,
      description: present,
      directory,
      phases,
      signal,
    };
    const results = await runTests({ ...task, description: describeBuilt(present, built) }, built, tests);
    if (results.some(keepsBack)) return { answer: { snapshotId: null, tests: results } };
    const changes = await changesOf(request, task, built);
    await putResults(request, results, { lake, directory, signal });
    signal.throwIfAborted();
    const snapshotId = await commit(request, task, changes);
    return typeof snapshotId === "number" ? { answer: { snapshotId, tests: results } } : snapshotId;
  } finally {
    await rm(join(lake.settings.cacheDirectory, directory), { recursive: true, force: true });
  }
}

/**
 * Puts the tests' results in the bucket. It happens before each commit: whoever finds the commit made, and its answer
 * lost, finds them.
 */
async function putResults(
  { testsUrl }: PublishRequest,
  results: readonly TestResult[],
  { lake, directory, signal }: StageFolder,
): Promise<void> {
  const file = join(lake.settings.cacheDirectory, directory, "tests.json");
  const bytes = Buffer.from(JSON.stringify(results));
  await writeFile(file, bytes);
  await openObjectStore(lake.env.s3Dial).upload({ url: testsUrl, file, bytes: bytes.length, signal });
}

/** The snapshot, or the conflict that stands against the commit. */
async function commit(
  { message, expects, state }: PublishRequest,
  { writer, grant: { snapshotId } }: WriteTask,
  changes: LakeChange[],
): Promise<number | Extract<Attempted<PublishAnswer>, { conflict: Failure }>> {
  if (changes.length === 0 && state.length === 0) return snapshotId;
  try {
    return (await writer.commit(message, changes, snapshotId, { expects, state })).snapshotId;
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== "conflict") throw error;
    return { conflict: error, base: snapshotId };
  }
}

async function changesOf(
  { stages }: PublishRequest,
  task: WriteTask,
  built: readonly LocalStage[],
): Promise<LakeChange[]> {
  const changes: LakeChange[] = [];
  for (const { staged } of stages) {
    const before = lakeTableOf(staged, task.description);
    const { schema, name } = before ?? schemaOf(staged.target, task.description);
    const existing = { schema, name, ...(before && { expect: { tableId: before.tableId } }) };
    const { columns, addedIds, widened, files } = staged;
    const isReplaced = staged.target.mode === "replace";
    if (before && isReplaced && !staged.isNew && hasColumns(before, columns)) {
      changes.push({ kind: "overwrite", ...existing, files });
      continue;
    }
    if (!before || isReplaced) changes.push({ kind: "create_table", schema, name, columns, orReplace: isReplaced });
    else {
      const local = built.find((each) => each.staged === staged);
      if (staged.target.mode === "merge" && files.length > 0) changes.push(...(await deletesOf(task, local!, before)));
      const altered = [
        ...widened.map(({ id, type }) => ({ kind: "set_type" as const, id, type })),
        ...columns.filter(({ id }) => addedIds.includes(id)).map((column) => ({ kind: "add_column" as const, column })),
      ];
      if (altered.length > 0) changes.push({ kind: "alter_table", ...existing, changes: altered });
    }
    // A table that this commit makes has no id to expect yet.
    const made = before && !isReplaced ? existing : { schema, name };
    const readsTable = before !== undefined && staged.target.mode === "merge";
    if (files.length > 0) changes.push({ kind: "append", ...made, files, readsTable });
  }
  return changes;
}

/** A schema is named as it is spelled where it is there; else the commit makes it. */
function schemaOf(
  { schema, name }: { schema: string; name: string },
  { schemas }: LakeDescription,
): { schema: string; name: string } {
  return { schema: schemas.find((each) => each.toLowerCase() === schema.toLowerCase()) ?? schema, name };
}
