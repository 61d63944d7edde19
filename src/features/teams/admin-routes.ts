// The platform's teams, for operators.

import { z } from "@hono/zod-openapi";
import { BODY_FAILURES, enveloped, envelope, fails, json, pageOf } from "../../http/answer.ts";
import { operation } from "../../http/operation.ts";
import { booleanParameter, listParameter, pageParameters, textParameter } from "../../http/request/query-params.ts";
import { createRouter } from "../../http/router.ts";
import { createTeam } from "./create.ts";
import { deleteTeam } from "./delete.ts";
import { getTeam } from "./get.ts";
import { MintedKey } from "./keys/key.ts";
import { listTeams } from "./list.ts";
import { createMagicLink } from "./magic-links/create.ts";
import { MagicLink } from "./magic-links/magic-link.ts";
import { NewTeam, PLANS, Team, TEAM_ORDERS, TeamPatch } from "./team.ts";
import { updateTeam } from "./update.ts";
import { User } from "./users/user.ts";

export const adminTeams = createRouter();

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

adminTeams.openapi(
  operation({
    method: "get",
    path: "/",
    operationId: "listTeams",
    summary: "List the platform's teams",
    description: "A page of all teams, in the order and with the filter that are asked for.",
    tags: ["Teams"],
    permission: "platform:operate",
    request: { query: TeamQuery },
    responses: { 200: enveloped("A page of teams", pageOf("TeamPage", Team)), ...fails() },
  }),
  async (c) => c.json(envelope(c, await listTeams(c.get("ctx"), c.req.valid("query"))), 200),
);

adminTeams.openapi(
  operation({
    method: "get",
    path: "/{team_id}",
    operationId: "getTeam",
    summary: "Get a team",
    description: "Its name, domain and plan.",
    tags: ["Teams"],
    permission: "platform:operate",
    request: { params: TeamPath },
    responses: { 200: enveloped("The team", Team), ...fails("resource_not_found") },
  }),
  async (c) => c.json(envelope(c, await getTeam(c.get("ctx"), c.req.valid("param").team_id)), 200),
);

adminTeams.openapi(
  operation({
    method: "post",
    path: "/",
    operationId: "createTeam",
    summary: "Open a team with its lake, its first admin and that admin's key",
    description: "The key is shown this once. Its holder adds the rest of the team.",
    tags: ["Teams", "Extensions"],
    permission: "platform:operate",
    request: { body: { required: true, ...json(NewTeam) } },
    responses: {
      201: enveloped("The team, its admin, and a key that is shown this once", CreatedTeam),
      ...fails(...BODY_FAILURES),
    },
  }),
  async (c) => c.json(envelope(c, await createTeam(c.get("ctx"), c.req.valid("json"))), 201),
);

adminTeams.openapi(
  operation({
    method: "patch",
    path: "/{team_id}",
    operationId: "updateTeam",
    summary: "Change a team's name, domain or plan",
    description: "Only the fields that are sent.",
    tags: ["Teams", "Extensions"],
    permission: "platform:operate",
    request: { params: TeamPath, body: { required: true, ...json(TeamPatch) } },
    responses: { 200: enveloped("The team", Team), ...fails("resource_not_found", ...BODY_FAILURES) },
  }),
  async (c) =>
    c.json(envelope(c, await updateTeam(c.get("ctx"), c.req.valid("param").team_id, c.req.valid("json"))), 200),
);

adminTeams.openapi(
  operation({
    method: "delete",
    path: "/{team_id}",
    operationId: "deleteTeam",
    summary: "Delete a team and all that is its",
    description:
      "Its users, keys and waiting work end at once; its containers, lakes, files, results, logs and rows go within about " +
      "an hour, those of a large team within some hours. 409 names the syncs and maintenance that go on; a team of the platform's operators stays.",
    tags: ["Teams"],
    permission: "platform:operate",
    request: { params: TeamPath },
    responses: {
      204: { description: "Deleted" },
      ...fails("resource_not_found", "resource_conflict", "work_in_progress"),
    },
  }),
  async (c) => {
    await deleteTeam(c.get("ctx"), c.req.valid("param").team_id);
    return c.body(null, 204);
  },
);

adminTeams.openapi(
  operation({
    method: "post",
    path: "/{team_id}/magic-link",
    operationId: "createMagicLink",
    summary: "Make a link that signs in as a team's first admin",
    description:
      "It works once, for a quarter of an hour, and until another is made. Opened, it shows a page; confirmed there, it " +
      "gives an API key of that admin for eight hours. Hand it on as you would a key.",
    tags: ["Teams"],
    permission: "platform:operate",
    request: { params: TeamPath },
    responses: { 200: enveloped("The link, shown this once", MagicLink), ...fails("resource_not_found") },
  }),
  async (c) => {
    const { origin } = new URL(c.req.url);
    return c.json(envelope(c, await createMagicLink(c.get("ctx"), c.req.valid("param").team_id, origin)), 200);
  },
);
