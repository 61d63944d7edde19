import type { Needs } from "../../../platform/context.ts";
import { recordAudit } from "../../../platform/db/audit.ts";
import { teamSettings } from "../../../platform/db/schema.ts";
import type { TeamSettings, TeamSettingsPatch } from "./settings.ts";

/** Holds for runs that start from now on. */
export async function updateTeamSettings(
  { scope, db }: Needs<"scope" | "db">,
  patch: TeamSettingsPatch,
): Promise<TeamSettings> {
  const set = { sandboxInternet: patch.sandbox_internet, updatedAt: scope.now.toISOString() };
  await db.batch([
    db
      .insert(teamSettings)
      .values({ teamId: scope.teamId, ...set })
      .onConflictDoUpdate({ target: teamSettings.teamId, set }),
    recordAudit(db, scope, "team_settings.update", scope.teamId),
  ]);
  return patch;
}
