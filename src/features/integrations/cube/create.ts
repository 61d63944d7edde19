import { LIMITS } from "../../../core/limits.ts";
import type { Needs } from "../../../clients/context.ts";
import { recordAudit } from "../../../platform/db/audit.ts";
import { withinPlan } from "../../quotas/within-plan.ts";
import type { NewIntegration } from "../credentials/credentials.ts";
import { auditedIntegration, planIntegration, type Created } from "../integration.ts";
import { underFreeName } from "../names.ts";
import { insertIntegration } from "../store.ts";
import { baseGuard, requireBase } from "./base.ts";

/** A semantic model without any version. Nothing is connected to: its base was, when that was made. */
export async function createCube(
  { scope, db }: Needs<"scope" | "db">,
  { name: given, credentials }: Extract<NewIntegration, { type: "cube" }>,
): Promise<Created> {
  const base = await requireBase({ scope, db }, credentials.integration_id);
  const byDefault = `Semantic model: ${base.name}`.slice(0, LIMITS.nameCharactersMax);
  return underFreeName({ scope, db }, given, byDefault, async (name) => {
    const integration = planIntegration({
      teamId: scope.teamId,
      name,
      type: "cube",
      isDefault: false,
      details: { integration_id: base.id },
      now: scope.now,
    });
    const stored = withinPlan({ db, scope }, "integrations", (guard) =>
      db.batch([
        baseGuard(db, scope.teamId, base.id),
        insertIntegration(db, scope.teamId, integration, null),
        recordAudit(db, scope, "integration.create", { id: integration.id, after: auditedIntegration(integration) }),
        guard,
      ]),
    );
    await stored.catch(async (error: unknown) => {
      await requireBase({ scope, db }, base.id);
      throw error;
    });
    return { integration, warnings: [] };
  });
}
