// The settings that a team's admins choose for all of it.

import { BODY_FAILURES, enveloped, envelope, fails, json } from "../../../http/answer.ts";
import { operation } from "../../../http/operation.ts";
import { createRouter } from "../../../http/router.ts";
import { getTeamSettings } from "./get.ts";
import { TeamSettings, TeamSettingsPatch } from "./settings.ts";
import { updateTeamSettings } from "./update.ts";

export const settings = createRouter();

const TAGS = ["Docs", "Extensions"];

settings.openapi(
  operation({
    method: "get",
    path: "/team/settings",
    operationId: "getTeamSettings",
    summary: "Get the team's settings",
    description: "As they are now: what no admin has changed has its default.",
    tags: TAGS,
    permission: "docs:read",
    responses: { 200: enveloped("The settings", TeamSettings), ...fails() },
  }),
  async (c) => c.json(envelope(c, await getTeamSettings(c.get("ctx"))), 200),
);

settings.openapi(
  operation({
    method: "patch",
    path: "/team/settings",
    operationId: "updateTeamSettings",
    summary: "Change the team's settings",
    description: "Holds for runs that start from now on.",
    tags: TAGS,
    permission: "team:manage",
    request: { body: { required: true, ...json(TeamSettingsPatch) } },
    responses: { 200: enveloped("The settings as they are now", TeamSettings), ...fails(...BODY_FAILURES) },
  }),
  async (c) => c.json(envelope(c, await updateTeamSettings(c.get("ctx"), c.req.valid("json"))), 200),
);
