import type { Needs } from "../../clients/context.ts";
import { deletePublication } from "../publications/delete.ts";
import { requirePublication } from "../publications/find.ts";
import { auditedEndpoint } from "./endpoint.ts";
import { deleteEndpointKeysStatements } from "./keys/store.ts";

/** Takes an endpoint back, with its keys and its figures: it answers nobody from now on. */
export async function deleteEndpoint(ctx: Needs<"scope" | "db">, id: string): Promise<void> {
  await deletePublication(ctx, await requirePublication(ctx, "endpoint", id), {
    action: "endpoint.delete",
    factsOf: auditedEndpoint,
    dependentStatements: deleteEndpointKeysStatements,
  });
}
