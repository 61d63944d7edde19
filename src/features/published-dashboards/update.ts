import type { Needs } from "../../clients/context.ts";
import { requirePublication } from "../publications/find.ts";
import { changedPublication } from "../publications/publication.ts";
import { requirePublishable } from "../publications/requirements.ts";
import { updatePublication } from "../publications/update.ts";
import { contentOf } from "./content.ts";
import { readPublished, requireParameters } from "./publish.ts";
import {
  auditedDashboard,
  shownDashboard,
  type PublishedDashboard,
  type PublishedDashboardPatch,
} from "./published-dashboard.ts";

/** Changes the fields that are sent. Who changes a published dashboard publishes it from then on. */
export async function updatePublishedDashboard(
  ctx: Needs<"scope" | "db" | "bucket">,
  id: string,
  patch: PublishedDashboardPatch,
): Promise<PublishedDashboard> {
  const before = await requirePublication(ctx, "dashboard", id);
  await requirePublishable(ctx, patch.role_id ?? before.roleId);
  const isRepublished = patch.doc_id !== undefined || patch.doc_version !== undefined;
  const after = {
    ...changedPublication(ctx.scope, before, patch),
    ...(isRepublished && (await readPublished(ctx, patch.doc_id ?? before.subjectId, patch.doc_version))),
    frameAncestors: patch.frame_ancestors ?? before.frameAncestors,
    openParameters: patch.open_parameters ?? before.openParameters,
  };
  requireParameters(contentOf(after), after.openParameters ?? []);
  await updatePublication(ctx, { before, after }, { action: "published_dashboard.update", factsOf: auditedDashboard });
  return shownDashboard(after);
}
