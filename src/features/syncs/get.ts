import type { Needs } from "../../clients/context.ts";
import { requireSync, type Address } from "./find.ts";
import { configOf, type SyncConfig } from "./sync.ts";
import { configFor, viewSync } from "./view.ts";

/** Throws 404 where there is none, and 422 naming them where there is more than one. */
export const getSync = async (
  ctx: Needs<"scope" | "db">,
  integrationId: string,
  address: Address,
): Promise<SyncConfig> => {
  const sync = await requireSync(ctx, integrationId, address);
  return configFor(configOf(sync), await viewSync(ctx, sync));
};
