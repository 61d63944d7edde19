import type { Needs } from "../../../platform/context.ts";
import { findIntegrations } from "../../integrations/find.ts";
import { describeAccess, type EffectiveAccess } from "./access.ts";
import { findHeldAccess } from "./store.ts";

/** What the caller may read, as it is now: nothing of it is remembered. */
export async function getMyAccess(ctx: Needs<"scope" | "db">): Promise<EffectiveAccess> {
  const { scope, db } = ctx;
  const [held, integrations] = await Promise.all([findHeldAccess(db, scope), findIntegrations(ctx)]);
  return describeAccess(scope, held, integrations);
}
