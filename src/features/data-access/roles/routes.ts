// /v4/data-access/roles

import { z } from "@hono/zod-openapi";
import { DATA_ACCESS_LIMITS } from "../limits.ts";
import { ACCESS_LIMITS } from "../../access/limits.ts";
import { enveloped, nothing, pageOf } from "../../../http/answer.ts";
import { pageParameters } from "../../../http/request/query-params.ts";
import { expectedVersion, IF_MATCH, tagged } from "../../../http/request/version-tag.ts";
import { createRouter } from "../../../http/router.ts";
import { createRole } from "./create.ts";
import { deleteRole } from "./delete.ts";
import { getRole } from "./get.ts";
import { listRoles } from "./list.ts";
import { AccessRole, AccessRolePatch, NewAccessRole, SavedAccessRole } from "./role.ts";
import { updateRole } from "./update.ts";

const TAGS = ["Data access"];

export const roles = createRouter(TAGS);

const RolePath = z.object({ role_id: z.string() });

const GRANTS_DESCRIPTION = `A role grants schemas or tables of integrations, each with columns that are left out, masks, and a filter of its rows. Of a role's
grants the one that names a table most closely counts: by its name, then by its schema, then by neither; among equals one that names its integration.
Roles add up: a column shows in the rows of those that grant it. From a team's first role on, who is no admin may read nothing else, later tables neither.
A role grants at most ${DATA_ACCESS_LIMITS.grantsPerRoleMax} targets; two grants with one target are refused. What other isolates know is at most
${ACCESS_LIMITS.cacheMs / 1000} seconds old; runs follow at once.`;

roles.operation("listRoles", "GET /", {
  permission: "team:manage",
  summary: "List the team's data-access roles",
  description: "In the order of their names.",
  query: z.strictObject(pageParameters({ limitMax: 100, limitDefault: 100 })),
  answer: enveloped("A page of roles", pageOf("AccessRolePage", AccessRole)),
  run: (ctx, { query }) => listRoles(ctx, query),
});

roles.operation("createRole", "POST /", {
  permission: "team:manage",
  audit: "role.create",
  summary: "Make a data-access role",
  description: GRANTS_DESCRIPTION,
  body: NewAccessRole,
  answer: tagged(enveloped("The new role, which nobody has yet", SavedAccessRole, 201)),
  fails: ["resource_conflict"],
  run: (ctx, { body }) => createRole(ctx, body),
});

roles.operation("getRole", "GET /{role_id}", {
  permission: "team:manage",
  summary: "Get a data-access role",
  description: "With all that it grants. The `ETag` is what a change sends as `If-Match`.",
  params: RolePath,
  answer: tagged(enveloped("The role", AccessRole)),
  run: (ctx, { params }) => getRole(ctx, params.role_id),
});

roles.operation("updateRole", "PATCH /{role_id}", {
  permission: "team:manage",
  audit: "role.update",
  summary: "Change a data-access role",
  description:
    "Only the fields that are sent; `grants` as a whole. With `If-Match` only a role that is as you have read it; 412 " +
    "says that it is another by now.",
  requestHeaders: IF_MATCH,
  params: RolePath,
  body: AccessRolePatch,
  answer: tagged(enveloped("The role", SavedAccessRole)),
  fails: ["resource_conflict", "precondition_failed"],
  run: (ctx, { params, body }) =>
    updateRole(ctx, { id: params.role_id, patch: body, expected: expectedVersion(ctx.request) }),
});

roles.operation("deleteRole", "DELETE /{role_id}", {
  permission: "team:manage",
  audit: "role.delete",
  summary: "Delete a data-access role",
  description: "Its members have it no more. With the last role the team is open again: everybody may read all of it.",
  tags: [...TAGS, "Extensions"],
  requestHeaders: IF_MATCH,
  params: RolePath,
  answer: nothing("Deleted"),
  fails: ["precondition_failed"],
  run: (ctx, { params }) => deleteRole(ctx, params.role_id, expectedVersion(ctx.request)),
});
