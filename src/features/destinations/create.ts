import { Problem } from "../../core/problem.ts";
import type { Needs } from "../../clients/context.ts";
import { newSecret } from "../../platform/crypto/webhook-signature.ts";
import { recordAuditIf } from "../../platform/db/audit.ts";
import { requireUrl, sealAddress } from "./address.ts";
import {
  auditedDestination,
  IS_SIGNED,
  planDestination,
  planId,
  shownDestination,
  type NewDestination,
  type WrittenDestination,
} from "./destination.ts";
import { nameTaken } from "./find.ts";
import { DESTINATION_LIMITS } from "./limits.ts";
import { countDestinations, countEventsDestinations, hasRevision, insertDestination } from "./store.ts";

/** Adds a destination. A webhook gets a secret, which is in this answer and nowhere else. */
export async function createDestination(
  ctx: Needs<"scope" | "db" | "vault" | "settings">,
  wanted: NewDestination,
): Promise<WrittenDestination> {
  const { scope, db } = ctx;
  const { kind, name, url } = wanted;
  requireUrl(ctx, url);
  if (kind === "events" && (await countEventsDestinations(db, scope.teamId)) >= DESTINATION_LIMITS.eventsPerTeamMax)
    throw new Problem(
      "business_quota_exceeded",
      `A team may have at most ${DESTINATION_LIMITS.eventsPerTeamMax} destinations of kind events. Delete one first.`,
    );
  if ((await countDestinations(db, scope.teamId)) >= DESTINATION_LIMITS.perTeamMax)
    throw new Problem(
      "business_quota_exceeded",
      `A team may have at most ${DESTINATION_LIMITS.perTeamMax} destinations. Delete one that is no longer used.`,
    );
  const secret = IS_SIGNED[kind] ? newSecret() : null;
  const ofEvents =
    wanted.kind === "events"
      ? { eventTypes: wanted.event_types, description: wanted.description ?? null }
      : { eventTypes: null, description: null };
  const named = { id: planId(scope.now), teamId: scope.teamId, kind, name, url, ...ofEvents };
  const sealed = await sealAddress(ctx, named, { url, secrets: secret === null ? [] : [secret] });
  const row = planDestination(named, sealed, scope.now);
  const [added] = await db.batch([
    insertDestination(db, row),
    recordAuditIf(db, scope, {
      action: "destination.create",
      subjectId: row.id,
      when: hasRevision(row),
      after: auditedDestination(row),
    }),
  ]);
  if (added.length === 0) throw nameTaken(name);
  return { ...shownDestination(row), secret };
}
