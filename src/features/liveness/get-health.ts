import { HEALTH_LIMITS } from "./limits.ts";
import { checkHealth, type HealthDeps } from "./check-health.ts";
import type { Health } from "./health.ts";

let latest: { health: Promise<Health>; until: number } | undefined;

/**
 * The deployment's health, at most `HEALTH_LIMITS.cacheMs` old. Callers at the same time share one check; `keepAlive`
 * lets it end even when the request that began it goes away.
 */
export function getHealth(deps: HealthDeps, now: Date, keepAlive: (work: Promise<unknown>) => void): Promise<Health> {
  if (!latest || latest.until <= now.getTime()) {
    latest = { health: checkHealth(deps), until: now.getTime() + HEALTH_LIMITS.cacheMs };
    keepAlive(latest.health);
  }
  return latest.health;
}
