// The settings that a team's admins choose for all of it.

import { enveloped } from "../../../http/answer.ts";
import { createRouter } from "../../../http/router.ts";
import { getTeamSettings } from "./get.ts";
import { TeamSettings, TeamSettingsPatch } from "./settings.ts";
import { updateTeamSettings } from "./update.ts";

export const settings = createRouter(["Docs", "Extensions"]);

settings.operation("getTeamSettings", "GET /team/settings", {
  permission: "docs:read",
  summary: "Get the team's settings",
  description: "As they are now: what no admin has changed has its default.",
  answer: enveloped("The settings", TeamSettings),
  run: (ctx) => getTeamSettings(ctx),
});

settings.operation("updateTeamSettings", "PATCH /team/settings", {
  permission: "team:manage",
  audit: "team_settings.update",
  summary: "Change the team's settings",
  description: "Holds for runs that start from now on.",
  body: TeamSettingsPatch,
  answer: enveloped("The settings as they are now", TeamSettings),
  run: (ctx, { body }) => updateTeamSettings(ctx, body),
});
