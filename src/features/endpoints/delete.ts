import type { Needs } from "../../clients/context.ts";
import { recordAuditIf } from "../../platform/db/audit.ts";
import { auditedEndpoint } from "./endpoint.ts";
import { changedMeanwhile, requireEndpoint } from "./find.ts";
import { deleteEndpointStatements, findEndpoint, hasRevision } from "./store.ts";

/** Takes an endpoint back, with its keys and its figures: it answers nobody from now on. */
export async function deleteEndpoint(ctx: Needs<"scope" | "db">, id: string): Promise<void> {
  const { scope, db } = ctx;
  const row = await requireEndpoint(ctx, id);
  await db.batch([
    recordAuditIf(db, scope, {
      action: "endpoint.delete",
      subjectId: row.id,
      when: hasRevision(row),
      before: auditedEndpoint(row),
    }),
    ...deleteEndpointStatements(db, row),
  ]);
  if (await findEndpoint(db, scope.teamId, row.id)) throw changedMeanwhile();
}
