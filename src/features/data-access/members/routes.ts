// /v4/data-access/roles/{role_id}/members

import { z } from "@hono/zod-openapi";
import { enveloped, envelope, fails, pageOf } from "../../../http/answer.ts";
import { operation } from "../../../http/operation.ts";
import { pageParameters } from "../../../http/request/query-params.ts";
import { createRouter } from "../../../http/router.ts";
import { addRoleMember } from "./add.ts";
import { listRoleMembers } from "./list.ts";
import { RoleMember } from "./member.ts";
import { removeRoleMember } from "./remove.ts";

export const members = createRouter();

const RolePath = z.object({ role_id: z.string() });
const MemberPath = RolePath.extend({ user_id: z.string() });
const TAGS = ["Data access", "Extensions"];

members.openapi(
  operation({
    method: "get",
    path: "/{role_id}/members",
    operationId: "listRoleMembers",
    summary: "List who has a data-access role",
    description: "Admins may have roles too, but read all without.",
    tags: TAGS,
    permission: "team:manage",
    request: { params: RolePath, query: z.strictObject(pageParameters({ limitMax: 250, limitDefault: 100 })) },
    responses: {
      200: enveloped("A page of users", pageOf("AccessRoleMemberPage", RoleMember)),
      ...fails("resource_not_found"),
    },
  }),
  async (c) =>
    c.json(envelope(c, await listRoleMembers(c.get("ctx"), c.req.valid("param").role_id, c.req.valid("query"))), 200),
);

members.openapi(
  operation({
    method: "put",
    path: "/{role_id}/members/{user_id}",
    operationId: "addRoleMember",
    summary: "Give a user a data-access role",
    description: "Who has it keeps it.",
    tags: TAGS,
    permission: "team:manage",
    request: { params: MemberPath },
    responses: { 204: { description: "The user has the role" }, ...fails("resource_not_found") },
  }),
  async (c) => {
    const { role_id: roleId, user_id: userId } = c.req.valid("param");
    await addRoleMember(c.get("ctx"), roleId, userId);
    return c.body(null, 204);
  },
);

members.openapi(
  operation({
    method: "delete",
    path: "/{role_id}/members/{user_id}",
    operationId: "removeRoleMember",
    summary: "Take a data-access role from a user",
    description: "Their runs lose it at once, their other statements within half a minute.",
    tags: TAGS,
    permission: "team:manage",
    request: { params: MemberPath },
    responses: { 204: { description: "The user has the role no more" }, ...fails("resource_not_found") },
  }),
  async (c) => {
    const { role_id: roleId, user_id: userId } = c.req.valid("param");
    await removeRoleMember(c.get("ctx"), roleId, userId);
    return c.body(null, 204);
  },
);
