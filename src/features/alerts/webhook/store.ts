// Every statement about alert webhooks. A read takes the team first; only the sweep and a re-seal look across teams.

import { and, asc, eq, inArray, isNull, sql, type SQL } from "drizzle-orm";
import { alertWebhooks } from "../../../platform/db/schema/alert-schema.ts";
import type { Db } from "../../../platform/db/client.ts";
import type { Webhook } from "./webhook.ts";
import { sealedRowsOf } from "../../../platform/db/sealed-rows.ts";

export const findWebhook = (db: Db, teamId: string): Promise<Webhook | undefined> =>
  db.select().from(alertWebhooks).where(eq(alertWebhooks.teamId, teamId)).get();

/** Returns the row, or nothing where the team has one already. */
export const insertWebhook = (db: Db, webhook: Webhook) =>
  db.insert(alertWebhooks).values(webhook).onConflictDoNothing().returning({ id: alertWebhooks.id });

const isVersion = ({ teamId, id, revision }: Pick<Webhook, "teamId" | "id" | "revision">): SQL =>
  and(eq(alertWebhooks.teamId, teamId), eq(alertWebhooks.id, id), eq(alertWebhooks.revision, revision))!;

/** Returns the row, or nothing where another change has come in between. */
export const updateWebhook = (db: Db, before: Webhook, { teamId: _, id: __, sweptAt: ___, ...after }: Webhook) =>
  db.update(alertWebhooks).set(after).where(isVersion(before)).returning({ id: alertWebhooks.id });

/** True in SQL once this version is the one that is kept. */
export const hasWebhookVersion = ({ teamId, id, revision }: Pick<Webhook, "teamId" | "id" | "revision">): SQL =>
  sql`exists (select 1 from ${alertWebhooks} where team_id = ${teamId} and id = ${id} and revision = ${revision})`;

export const deleteWebhookRow = (db: Db, teamId: string) =>
  db.delete(alertWebhooks).where(eq(alertWebhooks.teamId, teamId)).returning({ id: alertWebhooks.id });

/** True in SQL while the team has a webhook. */
export const hasWebhook = (teamId: string): SQL =>
  sql`exists (select 1 from ${alertWebhooks} where team_id = ${teamId})`;

/** Its host wants nothing more. Only of the version that it said so of. */
export const disableWebhook = (db: Db, seen: Webhook, reason: string, at: string) =>
  db
    .update(alertWebhooks)
    .set({ disabledAt: at, disabledReason: reason, revision: seen.revision + 1, updatedAt: at })
    .where(and(isVersion(seen), isNull(alertWebhooks.disabledAt)));

// ── The sweep ──────────────────────────────────────────────────────────────────────────────────────────────────────

export type SweptWebhook = Pick<Webhook, "teamId" | "watchedSince">;

/** The webhooks in use whose teams were looked through longest ago. */
export const selectSwept = (db: Db, rowsMax: number): Promise<SweptWebhook[]> =>
  db
    .select({ teamId: alertWebhooks.teamId, watchedSince: alertWebhooks.watchedSince })
    .from(alertWebhooks)
    .where(isNull(alertWebhooks.disabledAt))
    .orderBy(asc(alertWebhooks.sweptAt))
    .limit(rowsMax);

export const markSwept = (db: Db, teamIds: string[], at: string) =>
  db.update(alertWebhooks).set({ sweptAt: at }).where(inArray(alertWebhooks.teamId, teamIds));

/** The rows that key rotation re-seals, of any team. */
export const sealedAlertSecrets = (db: Db) => sealedRowsOf(db, alertWebhooks, "sealedSecrets");
