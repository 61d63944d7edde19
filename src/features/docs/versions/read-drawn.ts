import type { Needs } from "../../../clients/context.ts";
import { Problem } from "../../../core/problem.ts";
import { drawDashboard, type DrawnDashboard } from "../definition/drawn-dashboard.ts";
import type { Definition } from "../definition/definition.ts";
import { inspectDefinition } from "../definition/parse.ts";
import { findDrawnColumns } from "../store.ts";
import { getDocVersion } from "./get.ts";

export type DrawnVersion = { definition: Definition; drawn: DrawnDashboard };

/** A version of a doc, with what it draws. Throws `validation_failed` for one of which nothing is understood. */
export async function readDrawnVersion(ctx: Needs<"scope" | "db">, id: string, version: number): Promise<DrawnVersion> {
  const [{ text, media_type: mediaType }, columns] = await Promise.all([
    getDocVersion(ctx, id, String(version)),
    findDrawnColumns(ctx.db, ctx.scope.teamId, { id, version }),
  ]);
  const { definition, dashboard } = inspectDefinition(text, mediaType);
  if (!dashboard)
    throw new Problem("validation_failed", `Version ${version} draws nothing that is understood by now; save it anew.`);
  return { definition, drawn: drawDashboard(definition, dashboard, columns) };
}
