import { eq } from "drizzle-orm";
import type { Needs } from "../../../platform/context.ts";
import type { Db } from "../../../platform/db/client.ts";
import { teamSettings } from "../../../platform/db/schema.ts";
import { SETTINGS_DEFAULT, type TeamSettings } from "./settings.ts";

export const getTeamSettings = ({ scope, db }: Needs<"scope" | "db">): Promise<TeamSettings> =>
  readSettings(db, scope.teamId);

/** Whether runs of this team may reach the public internet. */
export const allowsInternet = async (db: Db, teamId: string): Promise<boolean> =>
  (await readSettings(db, teamId)).sandbox_internet;

async function readSettings(db: Db, teamId: string): Promise<TeamSettings> {
  const row = await db.select().from(teamSettings).where(eq(teamSettings.teamId, teamId)).get();
  return row ? { sandbox_internet: row.sandboxInternet } : SETTINGS_DEFAULT;
}
