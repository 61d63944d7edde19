import type { Needs } from "../../clients/context.ts";
import { createPublication } from "../publications/create.ts";
import { newPublication } from "../publications/publication.ts";
import { requirePublishable } from "../publications/requirements.ts";
import { auditedEndpoint, shownEndpoint, type Endpoint, type NewEndpoint } from "./endpoint.ts";
import { readPublished } from "./publish.ts";

/** Publishes a saved query. Nobody can call it before it has a key, or a secret that signs tokens. */
export async function createEndpoint(ctx: Needs<"scope" | "db">, input: NewEndpoint): Promise<Endpoint> {
  await requirePublishable(ctx, input.role_id);
  const published = await readPublished(ctx, input.query_id, input.query_version);
  const row = newPublication(ctx.scope, "endpoint", input, published);
  await createPublication(ctx, row, { action: "endpoint.create", factsOf: auditedEndpoint });
  return shownEndpoint(row);
}
