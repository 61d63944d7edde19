import { scopeIn } from "../../../core/scope.ts";
import type { Needs } from "../../../clients/context.ts";
import { recordAudit } from "../../../platform/db/audit.ts";
import { valueOf } from "../../../core/answer.ts";
import { getManagedLake } from "../../integrations/get.ts";
import { listLakeOptions, placeOf } from "./list.ts";
import type { LakeOptions, NewLakeOption } from "./options.ts";

/**
 * Sets an option of a lake, a schema or a table, or unsets it. Throws 422 for a value that it can't have. It is audited
 * once the catalog has it: the two have no batch in common.
 */
export async function setLakeOption(
  ctx: Needs<"scope" | "db" | "openLake">,
  integrationId: string,
  { key, value, scope }: NewLakeOption,
): Promise<LakeOptions> {
  const { teamId, lakeId } = await getManagedLake(ctx, integrationId);
  const before = await listLakeOptions(ctx, integrationId, scope);
  valueOf(await ctx.openLake(lakeId).setOption(key, value, placeOf(scope)));
  await recordAudit(ctx.db, scopeIn(ctx.scope, teamId), "lake_option.set", {
    id: lakeId,
    before: { [key]: before.items.find((item) => item.key === key)?.value ?? null },
    after: { [key]: value, ...placeOf(scope) },
  });
  return listLakeOptions(ctx, integrationId, scope);
}
