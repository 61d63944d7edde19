import type { Needs } from "../../../clients/context.ts";
import { getHeldAccess } from "../../access/granted.ts";
import { findIntegrations } from "../../integrations/find.ts";
import { describeAccess, shownToUser, type EffectiveAccess } from "./access.ts";

/** The caller's access as it is now, in words that they may know: nothing of it is remembered. */
export const getMyAccess = async (ctx: Needs<"scope" | "db">): Promise<EffectiveAccess> =>
  shownToUser(await findEffectiveAccess(ctx));

/** The caller's access in full, for admins. */
export async function findEffectiveAccess(ctx: Needs<"scope" | "db">): Promise<EffectiveAccess> {
  const [held, integrations] = await Promise.all([getHeldAccess(ctx), findIntegrations(ctx)]);
  return describeAccess(ctx.scope, held, integrations);
}
