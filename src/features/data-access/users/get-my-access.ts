import type { Needs } from "../../../platform/context.ts";
import { getHeldAccess } from "../../access/granted.ts";
import { findIntegrations } from "../../integrations/find.ts";
import { describeAccess, shownToUser, type EffectiveAccess } from "./access.ts";

/** What the caller may read, as it is now, in the words that they may know: nothing of it is remembered. */
export const getMyAccess = async (ctx: Needs<"scope" | "db">): Promise<EffectiveAccess> =>
  shownToUser(await findEffectiveAccess(ctx));

/** The same in full, for admins. */
export async function findEffectiveAccess(ctx: Needs<"scope" | "db">): Promise<EffectiveAccess> {
  const [held, integrations] = await Promise.all([getHeldAccess(ctx), findIntegrations(ctx)]);
  return describeAccess(ctx.scope, held, integrations);
}
