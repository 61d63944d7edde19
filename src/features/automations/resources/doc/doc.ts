// A doc as what a job runs: its datasets, with the rights of the job's owner.

import { newId } from "../../../../core/ids.ts";
import { DOC_LIMITS } from "../../../docs/limits.ts";
import { Problem } from "../../../../core/problem.ts";
import type { Needs } from "../../../../clients/context.ts";
import { mayReadRuns, type OutputDeps } from "../../../docs/executions/read-output.ts";
import { requireDoc } from "../../../docs/find.ts";
import { checkDatasetKeys } from "../../../docs/runs/plan/check-dataset-keys.ts";
import { previewRun } from "../../../docs/runs/plan/preview-run.ts";
import { requireLeft } from "../../../quotas/metered.ts";
import { listAttempts } from "../../../work-model/attempts.ts";
import type { Run } from "../../runs/run.ts";
import type { Obstacle, ResourceKind } from "../kind.ts";
import { startDoc, stopDoc, watchDoc } from "./attempt.ts";

export const DOC: ResourceKind = {
  noun: "a doc",
  right: "docs:run",

  async require(ctx, { resourceId, datasetKeys }) {
    const doc = await requireDoc(ctx, resourceId.toLowerCase());
    if (doc.archived_at !== null)
      throw new Problem("resource_not_found", `The doc ${doc.name} (${doc.id}) is archived. Restore it first.`);
    if (datasetKeys) await checkDatasetKeys(ctx, doc, datasetKeys);
    return doc;
  },
  jobNameOf: (docName) => docName,
  findTwin: () => Promise.resolve(undefined),

  requireQuota: ({ scope, db }) => requireLeft(db, scope, ["runSeconds"]),
  plan: async (ctx, { resourceId, datasetKeys }) => ({ datasets: await previewRun(ctx, resourceId, datasetKeys) }),

  // A doc's run is known by an id of its own, of the form that all have.
  newWorkId: () => newId(),
  findObstacle: findArchivedDoc,
  start: startDoc,
  startAlone: null,
  watch: (deps, run) => watchDoc(deps, run, new Date()),
  stop: (deps, run) => stopDoc(deps, run, new Date()),
  ended: () => Promise.resolve(),

  /**
   * Datasets read with the owner's rights. The owner may read their output while those rights last, and admins always,
   * as in the doc's runs.
   */
  mayReadOutput: async ({ scope, db }, run) =>
    scope.rights.includes("docs:write") ||
    (run.ownerId === scope.userId && (await mayReadAttempts({ scope, db }, run))),
  findProgress: () => Promise.resolve(undefined),
};

export async function findArchivedDoc(
  { db }: Needs<"db">,
  { teamId, resourceId }: Pick<Run, "teamId" | "resourceId">,
): Promise<Obstacle | undefined> {
  const { id, name, archived_at: archivedAt } = await requireDoc({ db, scope: { teamId } }, resourceId);
  if (archivedAt === null) return undefined;
  const error = `The doc ${name} (${id}), which this job runs, is archived. Restore it and enable the job, or delete the job.`;
  return { pausedReason: "doc_archived", error };
}

async function mayReadAttempts(ctx: OutputDeps, run: Pick<Run, "teamId" | "id">): Promise<boolean> {
  const { items } = await listAttempts(ctx, run, { limit: DOC_LIMITS.automationAttemptsMax, offset: 0 });
  return mayReadRuns(
    ctx,
    items.flatMap(({ workId, startedAt }) => (workId === null ? [] : { runId: workId, startedAt })),
  );
}
