// The platform's teams, for operators.

import { z } from "@hono/zod-openapi";
import { enveloped, nothing, pageOf } from "../../http/answer.ts";
import { booleanParameter, listParameter, pageParameters, textParameter } from "../../http/request/query-params.ts";
import { createRouter } from "../../http/router.ts";
import { createTeam } from "./create.ts";
import { deleteTeam } from "./delete.ts";
import { NewTeamDomain, TeamDomain } from "./domains/domain.ts";
import { setTeamDomain } from "./domains/set.ts";
import { getTeam } from "./get.ts";
import { MintedKey } from "./keys/key.ts";
import { listTeams } from "./list.ts";
import { createMagicLink } from "./magic-links/create.ts";
import { MagicLink, NewMagicLink } from "./magic-links/magic-link.ts";
import { NewTeam, PLANS, Team, TEAM_ORDERS, TeamPatch } from "./team.ts";
import { updateTeam } from "./update.ts";
import { User } from "./users/user.ts";

export const adminTeams = createRouter(["Teams"]);

export const CreatedTeam = z.object({ team: Team, admin: User, api_key: MintedKey }).openapi("CreatedTeam");

const TeamPath = z.object({ team_id: z.string() });
const TeamQuery = z.strictObject({
  ...pageParameters({ limitMax: 250, limitDefault: 100 }),
  orderBy: z.enum(TEAM_ORDERS).default("created_at"),
  ascending: booleanParameter(false),
  search: textParameter({ min: 1, max: 200 })
    .optional()
    .openapi({ description: "Part of a name or domain, in whatever case." }),
  plans: listParameter(z.enum(PLANS)),
});

adminTeams.operation("listTeams", "GET /", {
  permission: "platform:operate",
  summary: "List the platform's teams",
  description: "A page of all teams, in the order and with the filter that are asked for.",
  query: TeamQuery,
  answer: enveloped("A page of teams", pageOf("TeamPage", Team)),
  run: (ctx, { query }) => listTeams(ctx, query),
});

adminTeams.operation("getTeam", "GET /{team_id}", {
  permission: "platform:operate",
  summary: "Get a team",
  description: "Its name, domain and plan.",
  params: TeamPath,
  answer: enveloped("The team", Team),
  run: (ctx, { params }) => getTeam(ctx, params.team_id),
});

adminTeams.operation("createTeam", "POST /", {
  permission: "platform:operate",
  audit: "team.create",
  summary: "Open a team with its lake, its first admin and that admin's key",
  description: "The key is shown this once. Its holder adds the rest of the team.",
  tags: ["Teams", "Extensions"],
  body: NewTeam,
  answer: enveloped("The team, its admin, and a key that is shown this once", CreatedTeam, 201),
  run: (ctx, { body }) => createTeam(ctx, body),
});

adminTeams.operation("updateTeam", "PATCH /{team_id}", {
  permission: "platform:operate",
  audit: "team.update",
  summary: "Change a team's name, domain or plan",
  description: "Only the fields that are sent.",
  tags: ["Teams", "Extensions"],
  params: TeamPath,
  body: TeamPatch,
  answer: enveloped("The team", Team),
  run: (ctx, { params, body }) => updateTeam(ctx, params.team_id, body),
});

adminTeams.operation("deleteTeam", "DELETE /{team_id}", {
  permission: "platform:operate",
  audit: "team.delete",
  summary: "Delete a team and all that is its",
  description:
    "Its users, keys and waiting work end at once; its containers, lakes, files, results, logs and rows go within about " +
    "an hour, those of a large team within some hours. 409 names the syncs and maintenance that go on; a team of the platform's operators stays.",
  params: TeamPath,
  answer: nothing("Deleted"),
  fails: ["resource_conflict", "work_in_progress"],
  run: (ctx, { params }) => deleteTeam(ctx, params.team_id),
});

adminTeams.operation("setTeamDomain", "PUT /{team_id}/domains", {
  permission: "platform:operate",
  audit: "team_domain.set",
  summary: "Vouch for a team's mail domain",
  description:
    "As if its DNS record had been seen: the team's identity provider may then bind accounts of its members by " +
    "addresses of the domain.",
  tags: ["Teams", "Extensions"],
  params: TeamPath,
  body: NewTeamDomain,
  answer: enveloped("The domain", TeamDomain),
  run: (ctx, { params, body }) => setTeamDomain(ctx, params.team_id, body),
});

adminTeams.operation("createMagicLink", "POST /{team_id}/magic-link", {
  permission: "platform:operate",
  audit: "magic_link.create",
  summary: "Make a link that signs in as a team's first admin",
  description:
    "It works once, for a quarter of an hour, and until another is made. Opened, it shows a page; confirmed there, it " +
    "signs in as that admin. Where mail is set up, it is mailed to them, unless `mail` is false. Hand it on as you " +
    "would a key.",
  params: TeamPath,
  optionalBody: NewMagicLink,
  answer: enveloped("The link, shown this once", MagicLink),
  run: (ctx, { params, body }) =>
    createMagicLink(ctx, params.team_id, { ...body, origin: new URL(ctx.request.url).origin }),
});
