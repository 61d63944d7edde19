// Every statement about a team's settings. A read takes the team first.

import { eq } from "drizzle-orm";
import type { Db } from "../../../platform/db/client.ts";
import { teamSettings } from "../../../platform/db/schema/schema.ts";
import { SETTINGS_DEFAULT, type TeamSettings } from "./settings.ts";

/** The settings as they are now: one that no admin has changed has its default. */
export async function findSettings(db: Db, teamId: string): Promise<TeamSettings> {
  const row = await db.select().from(teamSettings).where(eq(teamSettings.teamId, teamId)).get();
  return row ? { sandbox_internet: row.sandboxInternet } : SETTINGS_DEFAULT;
}

export function saveSettings(db: Db, teamId: string, settings: TeamSettings, at: string) {
  const set = { sandboxInternet: settings.sandbox_internet, updatedAt: at };
  return db
    .insert(teamSettings)
    .values({ teamId, ...set })
    .onConflictDoUpdate({ target: teamSettings.teamId, set });
}
