// /v4/data-access/roles

import { z } from "@hono/zod-openapi";
import { LIMITS } from "../../../core/limits.ts";
import { BODY_FAILURES, enveloped, envelope, fails, json, pageOf } from "../../../http/answer.ts";
import { operation } from "../../../http/operation.ts";
import { pageParameters } from "../../../http/request/query-params.ts";
import { createRouter } from "../../../http/router.ts";
import { createRole } from "./create.ts";
import { deleteRole } from "./delete.ts";
import { getRole } from "./get.ts";
import { listRoles } from "./list.ts";
import { AccessRole, AccessRolePatch, NewAccessRole, SavedAccessRole } from "./role.ts";
import { updateRole } from "./update.ts";

export const roles = createRouter();

const RolePath = z.object({ role_id: z.string() });
const TAGS = ["Data access"];

const GRANTS_DESCRIPTION = `A role grants schemas or tables of integrations, each with columns that are left out, masks, and a filter of its rows. Of a role's
grants the one that names a table most closely counts: by its name, then by its schema, then by neither; among equals one that names its integration.
Roles add up: a column shows in the rows of those that grant it. From a team's first role on, who is no admin may read nothing else, later tables neither.
A role grants at most ${LIMITS.accessGrantsPerRoleMax} targets; two grants with one target are refused. What other isolates know is at most
${LIMITS.accessCacheMs / 1000} seconds old; runs follow at once.`;

roles.openapi(
  operation({
    method: "get",
    path: "/",
    operationId: "listRoles",
    summary: "List the team's data-access roles",
    description: "In the order of their names.",
    tags: TAGS,
    permission: "team:manage",
    request: { query: z.strictObject(pageParameters({ limitMax: 100, limitDefault: 100 })) },
    responses: { 200: enveloped("A page of roles", pageOf("AccessRolePage", AccessRole)), ...fails() },
  }),
  async (c) => c.json(envelope(c, await listRoles(c.get("ctx"), c.req.valid("query"))), 200),
);

roles.openapi(
  operation({
    method: "post",
    path: "/",
    operationId: "createRole",
    summary: "Make a data-access role",
    description: GRANTS_DESCRIPTION,
    tags: TAGS,
    permission: "team:manage",
    request: { body: { required: true, ...json(NewAccessRole) } },
    responses: {
      201: enveloped("The new role, which nobody has yet", SavedAccessRole),
      ...fails("resource_conflict", ...BODY_FAILURES),
    },
  }),
  async (c) => c.json(envelope(c, await createRole(c.get("ctx"), c.req.valid("json"))), 201),
);

roles.openapi(
  operation({
    method: "get",
    path: "/{role_id}",
    operationId: "getRole",
    summary: "Get a data-access role",
    description: "With all that it grants.",
    tags: TAGS,
    permission: "team:manage",
    request: { params: RolePath },
    responses: { 200: enveloped("The role", AccessRole), ...fails("resource_not_found") },
  }),
  async (c) => c.json(envelope(c, await getRole(c.get("ctx"), c.req.valid("param").role_id)), 200),
);

roles.openapi(
  operation({
    method: "patch",
    path: "/{role_id}",
    operationId: "updateRole",
    summary: "Change a data-access role",
    description: "Only the fields that are sent; `grants` as a whole.",
    tags: TAGS,
    permission: "team:manage",
    request: { params: RolePath, body: { required: true, ...json(AccessRolePatch) } },
    responses: {
      200: enveloped("The role", SavedAccessRole),
      ...fails("resource_not_found", "resource_conflict", ...BODY_FAILURES),
    },
  }),
  async (c) =>
    c.json(envelope(c, await updateRole(c.get("ctx"), c.req.valid("param").role_id, c.req.valid("json"))), 200),
);

roles.openapi(
  operation({
    method: "delete",
    path: "/{role_id}",
    operationId: "deleteRole",
    summary: "Delete a data-access role",
    description:
      "Its members have it no more. With the last role the team is open again: everybody may read all of it.",
    tags: [...TAGS, "Extensions"],
    permission: "team:manage",
    request: { params: RolePath },
    responses: { 204: { description: "Deleted" }, ...fails("resource_not_found") },
  }),
  async (c) => {
    await deleteRole(c.get("ctx"), c.req.valid("param").role_id);
    return c.body(null, 204);
  },
);
