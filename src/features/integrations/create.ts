import type { Source } from "../../../kernel/wire/source.ts";
import { INTEGRATION_LIMITS } from "./limits.ts";
import { Problem } from "../../core/problem.ts";
import type { Needs } from "../../clients/context.ts";
import { createTrino } from "./trino/save.ts";
import { recordAudit } from "../../platform/db/audit.ts";
import { withinPlan } from "../quotas/within-plan.ts";
import { createCube } from "./cube/create.ts";
import { insertLakeStatements, planLake } from "./add-lake.ts";
import { connectSlack, connectSource } from "./connect.ts";
import { typeOf, type NewIntegration } from "./credentials/credentials.ts";
import { auditedIntegration, planIntegration, type Created } from "./integration.ts";
import { requireFreeName, underFreeName } from "./names.ts";
import { sealCredentials } from "./open-source.ts";
import { countIntegrations, insertIntegration } from "./store.ts";

/** Adds an integration to the team; what it leads to is connected to first, and only what works is stored. */
export async function createIntegration(
  ctx: Needs<"scope" | "db" | "vault" | "openEngine" | "callSlack">,
  input: NewIntegration,
): Promise<Created> {
  const { scope, db } = ctx;
  if ((await countIntegrations(db, scope.teamId)) >= INTEGRATION_LIMITS.perTeamMax) {
    throw new Problem(
      "business_quota_exceeded",
      `A team may have ${INTEGRATION_LIMITS.perTeamMax} integrations. Delete one that is no longer used.`,
    );
  }
  const type = typeOf(input.type)!;
  if (input.name != null) await requireFreeName(ctx, input.name);
  if (type === "lake") return underFreeName(ctx, input.name, LAKE_NAME, (name) => createLake(ctx, name));
  if (input.type === "cube") return createCube(ctx, input);
  if (input.type === "trino") return createTrino(ctx, input);
  const connected =
    input.type === "slack"
      ? await connectSlack(ctx, input.credentials)
      : await connectSource(ctx, { type, credentials: input.credentials } as Source);

  return underFreeName(ctx, input.name, connected.defaultName, async (name) => {
    const { details, warnings } = connected;
    const integration = planIntegration({
      teamId: scope.teamId,
      name,
      type,
      isDefault: false,
      details,
      now: scope.now,
    });
    const sealed = await sealCredentials(ctx, integration.id, connected);
    await withinPlan(ctx, "integrations", (guard) =>
      db.batch([
        insertIntegration(db, scope.teamId, integration, sealed),
        recordAudit(db, scope, "integration.create", { id: integration.id, after: auditedIntegration(integration) }),
        guard,
      ]),
    );
    return { integration, warnings };
  });
}

const LAKE_NAME = "Lake";

async function createLake({ scope, db }: Needs<"scope" | "db">, name: string): Promise<Created> {
  const { teamId, ...integration } = planLake({ teamId: scope.teamId, name, isDefault: false, now: scope.now });
  await withinPlan({ db, scope }, "integrations", (guard) =>
    db.batch([
      ...insertLakeStatements(db, { teamId, ...integration }),
      recordAudit(db, scope, "integration.create", { id: integration.id, after: auditedIntegration(integration) }),
      guard,
    ]),
  );
  return { integration, warnings: [] };
}
