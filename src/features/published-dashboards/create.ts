import type { Needs } from "../../clients/context.ts";
import { createPublication } from "../publications/create.ts";
import { newPublication } from "../publications/publication.ts";
import { requirePublishable } from "../publications/requirements.ts";
import { contentOf } from "./content.ts";
import { readPublished, requireParameters } from "./publish.ts";
import {
  auditedDashboard,
  shownDashboard,
  type NewPublishedDashboard,
  type PublishedDashboard,
} from "./published-dashboard.ts";

/** Publishes a dashboard. Nobody can open it before it has a secret that signs tokens. */
export async function createPublishedDashboard(
  ctx: Needs<"scope" | "db" | "bucket">,
  input: NewPublishedDashboard,
): Promise<PublishedDashboard> {
  await requirePublishable(ctx, input.role_id);
  const published = await readPublished(ctx, input.doc_id, input.doc_version);
  requireParameters(contentOf(published), input.open_parameters);
  const row = newPublication(ctx.scope, "dashboard", input, {
    ...published,
    frameAncestors: input.frame_ancestors,
    openParameters: input.open_parameters,
  });
  await createPublication(ctx, row, { action: "published_dashboard.create", factsOf: auditedDashboard });
  return shownDashboard(row);
}
