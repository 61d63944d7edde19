import type { Needs } from "../../clients/context.ts";
import { drawnDefinition } from "./definition/draw.ts";
import { inspectDefinition } from "./definition/parse.ts";
import { warningsOf } from "./definition/warnings.ts";
import type { DocDetail } from "./doc.ts";
import type { DocJobs } from "./jobs-of-doc.ts";
import { requireDoc, requireSource } from "./find.ts";
import { findDrawnColumns } from "./store.ts";

/** A doc with what it says, archived or not. */
export async function getDoc(ctx: Needs<"scope" | "db">, jobs: DocJobs, id: string): Promise<DocDetail> {
  const doc = await requireDoc(ctx, id);
  const [{ text, media_type }, columns] = await Promise.all([
    requireSource(ctx, doc),
    findDrawnColumns(ctx.db, ctx.scope.teamId, doc),
  ]);
  const { definition, dashboard, automations, warnings, locate } = inspectDefinition(text, media_type);
  const changed = await jobs.findChanged(ctx, doc.id, automations);
  return {
    ...doc,
    media_type,
    text,
    definition: dashboard ? drawnDefinition(definition, dashboard, columns) : definition,
    warnings: warningsOf([...warnings, ...changed], locate),
  };
}
