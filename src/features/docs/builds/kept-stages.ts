// The stages of a run, and how its tests went, beside its results in the bucket.

import { Problem } from "../../../core/problem.ts";
import type { Needs } from "../../../clients/context.ts";
import { resultKey } from "../executions/result-key.ts";
import type { BuildRun, KeptStage, PublishedBuild } from "./build.ts";

type Bucket = Needs<"bucket">;
type RunName = Pick<BuildRun, "teamId" | "id">;

export const stageKey = ({ teamId, id }: RunName, executionId: string): string =>
  resultKey(teamId, id, `${executionId}.stage`);
export const testsKey = ({ teamId, id }: RunName): string => resultKey(teamId, id, "tests");

export const keepStage = ({ bucket }: Bucket, run: RunName, executionId: string, stage: KeptStage) =>
  bucket.write(stageKey(run, executionId), JSON.stringify(stage));

export const findStage = ({ bucket }: Bucket, run: RunName, executionId: string) =>
  find<KeptStage>(bucket, stageKey(run, executionId));

/** The stages of the executions, in their order. Throws `resource_conflict` where one of them is not there. */
export async function requireStages(
  deps: Bucket,
  run: RunName,
  executionIds: readonly string[],
  missing: string,
): Promise<KeptStage[]> {
  const stages = await Promise.all(executionIds.map((id) => findStage(deps, run, id)));
  return stages.map((stage) => {
    if (stage) return stage;
    throw new Problem("resource_conflict", missing);
  });
}

export const keepPublished = ({ bucket }: Bucket, run: RunName, published: PublishedBuild) =>
  bucket.write(testsKey(run), JSON.stringify(published));

/** Undefined of a run that has not come so far, or whose engine died before it could tell. */
export const findPublished = ({ bucket }: Bucket, run: RunName) => find<PublishedBuild>(bucket, testsKey(run));

async function find<Kept>(bucket: Bucket["bucket"], key: string): Promise<Kept | undefined> {
  const object = await bucket.read(key);
  return object && ((await new Response(object.body).json()) as Kept);
}
