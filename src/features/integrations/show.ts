import type { Needs } from "../../clients/context.ts";
import { openGranted } from "../access/granted.ts";
import type { Integration } from "./integration.ts";

/** Integrations as the caller sees them: where and as whom one connects is for those who may read something of it. */
export async function showIntegrations(
  ctx: Needs<"scope" | "db">,
  integrations: Integration[],
): Promise<Integration[]> {
  const isGranted = await openGranted(ctx);
  return integrations.map((integration) => {
    const { id, details } = integration;
    const { name, type } = details;
    // A semantic model is read by whoever reads the integration that it lies on, and a lake by its clusters.
    return isGranted(details.integration_id ?? details.lake_id ?? id)
      ? integration
      : { ...integration, details: { name, type } };
  });
}
