// The stages of a run, and how its tests went, beside its results in the bucket.

import type { Needs } from "../../../clients/context.ts";
import { resultKey } from "../executions/result-key.ts";
import type { BuildRun, KeptStage, PublishedBuild } from "./build.ts";

type Bucket = Needs<"bucket">;
type RunName = Pick<BuildRun, "teamId" | "id">;

const TESTS = "tests";
const stageName = (executionId: string): string => `${executionId}.stage`;

/** The keys under which a run's stages and tests may lie. */
export const buildKeys = (teamId: string, runId: string, executionIds: readonly string[]): string[] =>
  [TESTS, ...executionIds.map(stageName)].map((name) => resultKey(teamId, runId, name));

export const keepStage = ({ bucket }: Bucket, { teamId, id }: RunName, executionId: string, stage: KeptStage) =>
  bucket.write(resultKey(teamId, id, stageName(executionId)), JSON.stringify(stage));

export const findStage = ({ bucket }: Bucket, { teamId, id }: RunName, executionId: string) =>
  find<KeptStage>(bucket, resultKey(teamId, id, stageName(executionId)));

export const keepPublished = ({ bucket }: Bucket, { teamId, id }: RunName, published: PublishedBuild) =>
  bucket.write(resultKey(teamId, id, TESTS), JSON.stringify(published));

/** Undefined of a run that has not come so far, or whose engine died before it could tell. */
export const findPublished = ({ bucket }: Bucket, { teamId, id }: RunName) =>
  find<PublishedBuild>(bucket, resultKey(teamId, id, TESTS));

async function find<Kept>(bucket: Bucket["bucket"], key: string): Promise<Kept | undefined> {
  const object = await bucket.read(key);
  return object && ((await new Response(object.body).json()) as Kept);
}
