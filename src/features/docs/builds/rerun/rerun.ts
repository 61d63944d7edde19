import type { LakeTableName } from "../../../../../kernel/lake/lake.ts";
import type { TableRead } from "../../../../../kernel/wire/builds.ts";
import { valueOf } from "../../../../core/answer.ts";
import { DOC_LIMITS } from "../../limits.ts";
import { Problem } from "../../../../core/problem.ts";
import type { Needs } from "../../../../clients/context.ts";
import { requireRunReader } from "../../executions/read-output.ts";
import { readSource, requireLiveDoc } from "../../find.ts";
import { conductRun } from "../../runs/conduct.ts";
import { requireDocRun } from "../../runs/find.ts";
import { getDocRun } from "../../runs/get.ts";
import { hasEnded, type DocRunDetail } from "../../runs/run.ts";
import { startRun } from "../../runs/start.ts";
import { selectExecutions } from "../../runs/store.ts";
import { isBuild, type BuildRun, type KeptStage } from "../build.ts";
import { findStage, keepStage } from "../kept-stages.ts";
import { planRerun } from "./plan-rerun.ts";
import { definitionOf } from "../stage-dataset.ts";

type Ctx = Needs<"scope" | "db" | "bucket" | "tokens" | "openSandbox" | "openLake">;

/**
 * Starts a run that goes on from where another failed, by the doc as it is now: what that one has staged is taken over
 * as far as it stands, and published with the rest. Throws `resource_conflict` for a run that goes on, has published,
 * or is too old; or whose data is not kept, where code would run again.
 */
export async function rerunDocRun(
  ctx: Ctx,
  docId: string,
  runId: string,
  waitUntil: (work: Promise<unknown>) => void,
): Promise<DocRunDetail> {
  const doc = await requireLiveDoc(ctx, docId);
  const earlier = requireFailed(await requireDocRun(ctx, docId, runId), ctx.scope.now);
  // Its rows become the new run's output.
  await requireRunReader(ctx, earlier);
  const [{ definition }, before, executions] = await Promise.all([
    readSource(ctx, doc),
    definitionOf(ctx, earlier),
    selectExecutions(ctx.db, earlier),
  ]);
  const stages = new Map(
    await Promise.all(executions.map(async ({ id }) => [id, await findStage(ctx, earlier, id)] as const)),
  );
  // A stage that was taken over is older than its run, and its files are collected by their own age.
  const keptSince = ctx.scope.now.getTime() - DOC_LIMITS.stageKeptMs;
  const isKept = (id: string): boolean => (stages.get(id)?.stagedAt ?? 0) > keptSince;
  const stagedIds = new Set(executions.map(({ id }) => id).filter(isKept));
  const outdatedIds = await findOutdated(ctx, earlier.lakeId, stages);
  const { plan, takenOver } = planRerun(definition, { definition: before, executions, stagedIds, outdatedIds });
  if (plan.datasets.length === 0) throw new Problem("resource_conflict", "Nothing of this run is left to run again.");
  if (earlier.hadData && plan.datasets.some(({ engine }) => engine === "python")) throw lacksData();
  const started = await startRun(ctx, { doc, definition, plan, cause: "manual", hasEnvelope: false, earlier });
  for (const { key, executionId } of plan.datasets) {
    const stage = stages.get(takenOver.get(key) ?? "");
    if (stage) await keepStage(ctx, started.run, executionId, stage);
  }
  waitUntil(conductRun(ctx, started).catch(() => undefined));
  return getDocRun(ctx, doc.id, started.run.id);
}

/** The executions whose stages were read from a table of the lake that is another by now, or gone, or is not known. */
async function findOutdated(
  { openLake }: Needs<"openLake">,
  lakeId: string,
  stages: ReadonlyMap<string, KeptStage | undefined>,
): Promise<Set<string>> {
  const lake = openLake(lakeId);
  const { snapshotId } = await lake.currentSnapshot();
  const { tables } = valueOf(await lake.describe(snapshotId, "everything"));
  const nameOf = ({ schema, name }: LakeTableName): string => JSON.stringify([schema, name]);
  const versions = new Map(tables.map((table) => [nameOf(table), table.version]));
  const isOutdated = (read: TableRead): boolean => read.version !== null && versions.get(nameOf(read)) !== read.version;
  const isStale = ({ reads, inputReads }: KeptStage): boolean =>
    !inputReads || [...reads, ...inputReads].some(isOutdated);
  return new Set([...stages].flatMap(([id, stage]) => (stage && isStale(stage) ? [id] : [])));
}

/** Code that runs without them beside tables that were built with them would publish both together. */
const lacksData = (): Problem =>
  new Problem(
    "resource_conflict",
    "This run was given data or variables, which are not kept, and code would run again without them. Send them anew: " +
      "by the webhook, or by a run of the job.",
  );

function requireFailed(run: Parameters<typeof isBuild>[0], now: Date): BuildRun {
  const refuse = (why: string): never => {
    throw new Problem("resource_conflict", `${why} Run the doc.`);
  };
  if (!isBuild(run)) return refuse("This run builds no tables.");
  if (!hasEnded(run)) throw new Problem("resource_conflict", "This run has not ended.");
  if (run.state === "succeeded") return refuse("This run has succeeded.");
  const isKept = Date.parse(run.createdAt) > now.getTime() - DOC_LIMITS.stageKeptMs;
  return isKept ? run : refuse("What this run has staged is not kept any more.");
}
