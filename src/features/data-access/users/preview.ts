import { z } from "@hono/zod-openapi";
import { DATA_ACCESS_LIMITS } from "../limits.ts";
import { notFound } from "../../../core/problem.ts";
import type { Needs } from "../../../clients/context.ts";
import { valueOf } from "../../../core/answer.ts";
import { openReader } from "../../../lake/lake.ts";
import { getIntegration } from "../../integrations/get.ts";
import { actAs } from "../../teams/users/act-as.ts";
import { resolveAccess } from "../../access/resolve.ts";
import { EffectiveAccess } from "./access.ts";
import { findEffectiveAccess } from "./get-my-access.ts";

const SeenTable = z
  .object({
    schema: z.string(),
    name: z.string(),
    columns: z.array(z.string()),
    restricted: z.boolean().openapi({ description: "Whether rows, columns or values of it are held back." }),
  })
  .openapi("SeenTable");

export const AccessPreview = EffectiveAccess.extend({
  tables: z
    .array(SeenTable)
    .nullable()
    .openapi({
      description: "Of a lake that was asked for: its tables as this user sees them. Null for what is no lake.",
    }),
}).openapi("AccessPreview");
export type AccessPreview = z.infer<typeof AccessPreview>;

/** A team's user's access in full, and the lake's tables as they would see them. */
export async function previewAccess(
  ctx: Needs<"scope" | "db" | "openLake">,
  userId: string,
  integrationId: string | undefined,
): Promise<AccessPreview> {
  const scope = await actAs(ctx, userId.toLowerCase(), ctx.scope);
  if (!scope) throw notFound("User", userId);
  const as = { ...ctx, scope };
  const access = await findEffectiveAccess(as);
  if (integrationId === undefined) return { ...access, tables: null };
  const { id, type } = await getIntegration(as, integrationId);
  const integrations = access.integrations.filter((integration) => integration.id === id);
  if (type !== "lake") return { ...access, integrations, tables: null };
  const { tables, truncated } = await tablesSeen(as, id);
  return { ...access, integrations, tables, truncated: access.truncated || truncated };
}

async function tablesSeen(ctx: Needs<"scope" | "db" | "openLake">, lakeId: string) {
  const lake = ctx.openLake(lakeId);
  const { snapshotId, reader } = await openReader(lake, await resolveAccess(ctx, { id: lakeId }));
  const described = valueOf(await lake.describe(snapshotId, reader)).tables;
  let columnsLeft: number = DATA_ACCESS_LIMITS.columnsShownMax;
  const tables = described
    .filter(({ columns }) => (columnsLeft -= columns.length) >= 0)
    .map(({ schema, name, columns, view }) => ({
      schema,
      name,
      columns: columns.map((column) => column.name),
      restricted: view !== "whole",
    }));
  return { tables, truncated: tables.length < described.length };
}
