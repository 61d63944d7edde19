import type { Needs } from "../../clients/context.ts";
import { requirePublication } from "../publications/find.ts";
import { changedPublication } from "../publications/publication.ts";
import { requirePublishable } from "../publications/requirements.ts";
import { updatePublication } from "../publications/update.ts";
import { auditedEndpoint, shownEndpoint, type Endpoint, type EndpointPatch } from "./endpoint.ts";
import { readPublished } from "./publish.ts";

/** Changes the fields that are sent. Who changes an endpoint publishes it from then on. */
export async function updateEndpoint(ctx: Needs<"scope" | "db">, id: string, patch: EndpointPatch): Promise<Endpoint> {
  const before = await requirePublication(ctx, "endpoint", id);
  await requirePublishable(ctx, patch.role_id ?? before.roleId);
  const isRepublished = patch.query_id !== undefined || patch.query_version !== undefined;
  const after = {
    ...changedPublication(ctx.scope, before, patch),
    ...(isRepublished && (await readPublished(ctx, patch.query_id ?? before.subjectId, patch.query_version))),
  };
  await updatePublication(ctx, { before, after }, { action: "endpoint.update", factsOf: auditedEndpoint });
  return shownEndpoint(after);
}
