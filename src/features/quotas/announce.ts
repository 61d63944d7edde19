// A refusal for a plan's bound is an outbound event: the first of a month, or of a day where the bound is on what is
// held. A refusal has no commit, so the event is one of its own; without it the refusal stands all the same.

import { sql } from "drizzle-orm";
import type { Problem } from "../../core/problem.ts";
import { monthOf } from "../../core/teams/plans.ts";
import type { Db } from "../../platform/db/client.ts";
import { recordOutboundEvent } from "../../platform/db/record-outbound-event.ts";
import { quotaExceeded, type Quota } from "./quota-exceeded.ts";

type Refusal = { teamId: string; plan: string; now: Date };

const ASKED_EVERY_MS = 60_000;
const KEYS_MAX = 10_000;
/** When this isolate has asked for an event last, by team and order. */
const asked = new Map<string, number>();

/** The Problem of the refusal, once its event is written where one is wanted. Never throws. */
export async function refuseBeyond(db: Db, quota: Quota, { teamId, plan, now }: Refusal): Promise<Problem> {
  const { what, limit, used, resetsAt } = quota;
  const orderKey = `quota/${what}/${resetsAt === null ? now.toISOString().slice(0, 10) : monthOf(now)}`;
  if (isAskedNow(`${teamId}/${orderKey}`, now.getTime())) {
    const data = sql`${JSON.stringify({ quota: what, plan, limit, used, resets_at: resetsAt })}`;
    const event = { teamId, type: "quota.exceeded" as const, orderKey, data, at: now, when: sql`true`, once: true };
    await recordOutboundEvent(db, event).catch((error: unknown) =>
      console.error(JSON.stringify({ event: "quota_not_announced", teamId, what, cause: String(error) })),
    );
  }
  return quotaExceeded(quota, plan, now);
}

function isAskedNow(key: string, nowMs: number): boolean {
  const lastMs = asked.get(key);
  if (lastMs !== undefined && Math.abs(nowMs - lastMs) < ASKED_EVERY_MS) return false;
  asked.delete(key);
  asked.set(key, nowMs);
  if (asked.size > KEYS_MAX) asked.delete(asked.keys().next().value!);
  return true;
}
