// Stages one dataset of a run: what it is to build is found, its rows are written by the team's engine, and the stage
// is kept for the run's end.

import type { ReadableStage, StageRequest, TableRead } from "../../../../kernel/wire/builds.ts";
import type { StagedResult } from "../../../../kernel/wire/run-builds.ts";
import { LIMITS } from "../../../core/limits.ts";
import { DOC_LIMITS } from "../limits.ts";
import { notFound, Problem } from "../../../core/problem.ts";
import type { Scope } from "../../../core/scope.ts";
import type { Needs } from "../../../clients/context.ts";
import { boundParameters } from "../../../http/request/parameters.ts";
import { grantLake } from "../../../lake/lake.ts";
import { signPaths } from "../../../lake/sign-paths.ts";
import { ownerOfDoc } from "../../../lake/writers/owners.ts";

import { actAs } from "../../teams/users/act-as.ts";
import { reparse } from "../definition/parse.ts";
import type { Definition } from "../definition/definition.ts";
import { targetOf } from "../definition/builds/materialize.ts";
import { resultKey } from "../executions/result-key.ts";
import { findVersion } from "../store.ts";
import { selectExecutions } from "../runs/store.ts";
import type { Execution } from "../runs/run.ts";
import {
  builtBefore,
  isBuilt,
  readWatermark,
  sendingOf,
  publishedKey,
  watermarkKey,
  type BuildRun,
  type BuiltDataset,
  type KeptStage,
} from "./build.ts";
import { findStage, keepStage, requireStages } from "./kept-stages.ts";
import { readsOfInputs } from "./rerun/input-reads.ts";
import { requireLakeWrite } from "./plan-build.ts";

export type StageDeps = Needs<"db" | "bucket" | "tokens" | "openLake" | "openEngine">;

/** `signal` aborts once nobody waits for the stage any more: the run was cancelled, or its sandbox died. */
export type Staging = { executionId: string; frameBytes: number | undefined; isRead: boolean; signal: AbortSignal };

/** Answers the stage, also where it was made before. Throws what the engine meets, and 403 as the run's start does. */
export async function stageDataset(deps: StageDeps, run: BuildRun, staging: Staging): Promise<StagedResult> {
  const { executionId, isRead } = staging;
  const stage = (await findStage(deps, run, executionId)) ?? (await makeStage(deps, run, staging));
  const { files, rows, columns } = stage.staged;
  const urls = isRead ? readableOf(deps, run, stage).urls : [];
  return {
    rows,
    bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
    columns: columns.map((column) => ({ name: column.name, type: column.type })),
    files: urls.map((url, i) => ({ url, bytes: files[i]!.bytes })),
  };
}

async function makeStage(deps: StageDeps, run: BuildRun, staging: Staging): Promise<KeptStage> {
  const { openEngine, openLake } = deps;
  const scope = await requireBuilder(deps, run, staging.executionId);
  const stagedAt = Date.now();
  const { request, inputs, ...notes } = await requestOf(deps, run, scope, staging);
  const answer = await openEngine(run.teamId).stageTable(request, staging.signal);
  const stage = { ...answer, reads: [...answer.reads, ...inputs], ...notes, stagedAt };
  await keepStage(deps, run, staging.executionId, stage);
  // The stage is made: from here on it keeps no snapshot and no table from maintenance.
  await openLake(run.lakeId)
    .endStatement(sendingOf(run, staging.executionId))
    .catch(() => undefined);
  return stage;
}

/** The run's user as they are now. Throws 403 where they may not write to the lake, or are gone. */
export async function requireBuilder({ db }: Needs<"db">, run: BuildRun, requestId: string): Promise<Scope> {
  const scope = await actAs({ db, scope: run }, run.userId, { requestId, now: new Date() });
  if (!scope)
    throw new Problem("forbidden_insufficient_permissions", "Who started the run is not in the team any more.");
  await requireLakeWrite({ db, scope }, run.lakeId);
  return scope;
}

/** The definition that the run began with. */
export async function definitionOf({ db }: Needs<"db">, run: BuildRun): Promise<Definition> {
  const version = await findVersion(db, run.teamId, run.docId, run.docVersion);
  if (!version)
    throw new Problem("resource_conflict", "The doc's version that the run began with is not kept any more.");
  return reparse(version.text, version.media_type);
}

/** Permission for one statement of the run: to read the lake as it is now, and to write as the doc. */
export async function grantBuild(
  deps: Needs<"tokens" | "openLake">,
  run: BuildRun,
  { id, author, deadlineMs }: { id: string; author: string; deadlineMs: number },
): Promise<StageRequest["lake"]> {
  const { teamId, lakeId, docId } = run;
  const lifetime = { deadlineMs, now: new Date() };
  const { statementId, jobId } = sendingOf(run, id);
  const writes = { statementId, jobId, author, actor: ownerOfDoc(docId) };
  return grantLake(deps, { teamId, lakeId }, { kind: "all" }, { ...lifetime, writes });
}

async function requestOf(
  deps: StageDeps,
  run: BuildRun,
  scope: Scope,
  { executionId, frameBytes }: Staging,
): Promise<{ request: StageRequest; inputs: TableRead[] } & Pick<KeptStage, "since" | "publishedBy" | "inputReads">> {
  const [definition, executions] = await Promise.all([definitionOf(deps, run), selectExecutions(deps.db, run)]);
  const key = executions.find(({ id }) => id === executionId)?.datasetKey;
  const dataset = key === undefined ? undefined : definition.datasets[key];
  if (key === undefined || !isBuilt(dataset)) throw notFound("Execution", executionId);
  const deadlineMs =
    dataset.engine === "sql" ? (dataset.timeoutMs ?? LIMITS.queryDeadlineMsDefault) : DOC_LIMITS.stageFrameMsMax;
  const target = targetOf(dataset.materialize);
  const column = dataset.incremental?.column;
  const note = column && watermarkKey(run.docId, target, column);
  const published = publishedKey(run.docId, target);
  // Before the snapshot that the rows are read at: a publishing in between is then found out.
  const [since, publishedNotes] = await Promise.all([
    note === undefined ? null : deps.openLake(run.lakeId).noteOfTable({ key: note, beside: published }, target),
    deps.openLake(run.lakeId).notesOf([published]),
  ]);
  const [lake, earlier] = await Promise.all([
    grantBuild(deps, run, { id: executionId, author: scope.userName, deadlineMs }),
    earlierStages(deps, run, { definition, executions, key }),
  ]);
  const request: StageRequest = {
    ...{ id: executionId, sender: run.userId, lake, deadlineMs, dataset: key, target, earlier },
    rows:
      dataset.engine === "sql"
        ? { sql: dataset.sql, ...(dataset.parameters && { parameters: boundParameters(dataset.parameters) }) }
        : { frame: { url: deps.bucket.signGet(resultKey(run.teamId, run.id, executionId)), bytes: frameBytes ?? 1 } },
    watermark: column === undefined ? null : { column, since: readWatermark(since?.isOfTable ? since.note : null) },
  };
  return {
    request,
    since: since?.note ?? null,
    publishedBy: publishedNotes[published] ?? null,
    inputs: inputTables(definition, dataset),
    inputReads: await readsOfInputs(deps, run, definition, dataset),
  };
}

/** The tables whose rows a frame's code is given: the engine sees only what came of them. */
const inputTables = ({ datasets }: Definition, dataset: BuiltDataset): TableRead[] =>
  (dataset.engine === "python" ? (dataset.inputs ?? []) : []).flatMap(({ ref }) => {
    const input = datasets[ref];
    if (!isBuilt(input)) return [];
    const { schema, name } = targetOf(input.materialize);
    return [{ schema, name, version: null }];
  });

type Place = { definition: Definition; executions: Execution[]; key: string };

/** Only what the dataset needs: what it reads is then no matter of which dataset came first. */
async function earlierStages(
  deps: StageDeps,
  run: BuildRun,
  { definition, executions, key }: Place,
): Promise<ReadableStage[]> {
  const ids = new Map(executions.map(({ datasetKey, id }) => [datasetKey, id]));
  const needed = builtBefore(definition, key, [...ids.keys()]);
  const stages = await requireStages(
    deps,
    run,
    needed.map((one) => ids.get(one)!),
    "A dataset that this one needs is not staged.",
  );
  return stages.map((stage) => readableOf(deps, run, stage));
}

export const readableOf = (
  { bucket }: Needs<"bucket">,
  { teamId, lakeId }: BuildRun,
  { staged }: KeptStage,
): ReadableStage => ({
  staged,
  urls: signPaths(
    bucket,
    { teamId, lakeId },
    "GET",
    staged.files.map(({ path }) => path),
  ).map(({ url }) => url),
});
