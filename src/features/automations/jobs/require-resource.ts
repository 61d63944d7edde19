import { Problem } from "../../../core/problem.ts";
import { getLake } from "../../integrations/get.ts";
import type { Needs, OfTeam } from "../../../platform/context.ts";
import { requireDoc } from "../../docs/find.ts";
import { checkDatasetKeys } from "../../docs/runs/plan/check-dataset-keys.ts";
import type { Job } from "./job.ts";

type About = Pick<Job, "resourceType" | "resourceId" | "datasetKeys">;

/**
 * What a job is about, by its name. One of another team and an integration that is no lake answer exactly
 * as a missing one; an archived doc is named. Throws `validation_failed` for dataset keys that the doc does not have.
 */
export async function requireResource(
  ctx: Needs<"db"> & OfTeam,
  { resourceType, resourceId, datasetKeys }: About,
): Promise<{ name: string }> {
  const id = resourceId.toLowerCase();
  if (resourceType !== "doc") return getLake(ctx, id);
  const doc = await requireDoc(ctx, id);
  if (doc.archived_at !== null)
    throw new Problem("resource_not_found", `The doc ${doc.name} (${doc.id}) is archived. Restore it first.`);
  if (datasetKeys) await checkDatasetKeys(ctx, doc, datasetKeys);
  return doc;
}
