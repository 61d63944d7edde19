// The stages of a run, and how its tests went, beside its results in the bucket.

import { TEST_RESULTS_BYTES_MAX, TestResults, type TestResult } from "../../../../kernel/wire/builds.ts";
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

/** Where the engine puts the results of a run's tests, by the id that a call to publish gives them. */
export const resultsKey = ({ teamId, id }: RunName, resultsId: string): string =>
  resultKey(teamId, id, `${resultsId}.tests`);

/** The results that the engine has put there; null where there are none, or what is there is no such thing. */
export async function findResults({ bucket }: Bucket, run: RunName, resultsId: string): Promise<TestResult[] | null> {
  const object = await bucket.read(resultsKey(run, resultsId));
  if (!object) return null;
  if (object.size > TEST_RESULTS_BYTES_MAX) {
    await object.body.cancel();
    return null;
  }
  const content: unknown = await new Response(object.body).json().catch(() => null);
  return TestResults.safeParse(content).data ?? null;
}

async function find<Kept>(bucket: Bucket["bucket"], key: string): Promise<Kept | undefined> {
  const object = await bucket.read(key);
  return object && ((await new Response(object.body).json()) as Kept);
}
