import { LIMITS } from "../../core/limits.ts";
import type { Needs } from "../../platform/context.ts";
import { openEngine } from "../../platform/engine/engine.ts";
import { grantLake } from "../../platform/lake/lake.ts";
import { getIntegration } from "./get.ts";
import { warningsOf } from "./integration.ts";
import { isSource, openCredentials, sourceOf } from "./open-source.ts";

export type Tested = { connection: { product: string; version: string; tls: boolean; can_write: boolean }; warnings: string[] };

/** Connects with the stored credentials; of a lake, asks its catalog. Rejects with `connection_failed`. */
export async function testIntegration(ctx: Needs<"scope" | "db" | "env">, id: string): Promise<Tested> {
  const { scope, env } = ctx;
  const integration = await getIntegration(ctx, id);
  if (!isSource(integration)) {
    await grantLake(env, { teamId: scope.teamId, lakeId: integration.id }, LIMITS.connectionTestMs, scope.now);
    return { connection: { product: "DuckLake", version: "1.0", tls: true, can_write: true }, warnings: [] };
  }
  const source = sourceOf(integration.type, await openCredentials(ctx, integration.id));
  const { product, version, tls, canWrite } = await openEngine(env, scope.teamId).testConnection({ source, deadlineMs: LIMITS.connectionTestMs });
  return { connection: { product, version, tls, can_write: canWrite }, warnings: warningsOf({ canWrite, tls }) };
}
