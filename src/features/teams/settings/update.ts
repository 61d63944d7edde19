import type { Needs } from "../../../clients/context.ts";
import { recordAudit } from "../../../platform/db/audit.ts";
import type { TeamSettings, TeamSettingsPatch } from "./settings.ts";
import { findSettings, saveSettings } from "./store.ts";

/** Holds for runs that start from now on. */
export async function updateTeamSettings(
  { scope, db }: Needs<"scope" | "db">,
  patch: TeamSettingsPatch,
): Promise<TeamSettings> {
  const before = await findSettings(db, scope.teamId);
  await db.batch([
    saveSettings(db, scope.teamId, patch, scope.now.toISOString()),
    recordAudit(db, scope, "team_settings.update", { id: scope.teamId, before, after: patch }),
  ]);
  return patch;
}
