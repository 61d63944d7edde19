import type { Needs } from "../../../clients/context.ts";
import { valueOf } from "../../../core/answer.ts";
import { getManagedLake } from "../../integrations/get.ts";
import type { LakeOptions, LakeOptionPlace } from "./options.ts";

/**
 * Lists the options that hold at a scope, wherever they are set. Throws 404 for a schema or table that is not there.
 */
export async function listLakeOptions(
  ctx: Needs<"scope" | "db" | "openLake">,
  integrationId: string,
  scope: LakeOptionPlace,
): Promise<LakeOptions> {
  const { lakeId } = await getManagedLake(ctx, integrationId);
  return { items: valueOf(await ctx.openLake(lakeId).listOptions(placeOf(scope))) };
}

/** A name that is not given is no member, also across the catalog's boundary. */
export const placeOf = ({ schema, table }: LakeOptionPlace): { schema?: string; table?: string } => ({
  ...(schema === undefined ? {} : { schema }),
  ...(table === undefined ? {} : { table }),
});
