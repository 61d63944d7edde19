// /v4/data-access/roles/{role_id}/members

import { z } from "@hono/zod-openapi";
import { enveloped, nothing, pageOf } from "../../../http/answer.ts";
import { pageParameters } from "../../../http/request/query-params.ts";
import { createRouter } from "../../../http/router.ts";
import { addRoleMember } from "./add.ts";
import { listRoleMembers } from "./list.ts";
import { RoleMember } from "./member.ts";
import { removeRoleMember } from "./remove.ts";

export const members = createRouter(["Data access", "Extensions"]);

const RolePath = z.object({ role_id: z.string() });
const MemberPath = RolePath.extend({ user_id: z.string() });

members.operation("listRoleMembers", "GET /{role_id}/members", {
  permission: "team:manage",
  summary: "List who has a data-access role",
  description: "Admins may have roles too, but read all without.",
  params: RolePath,
  query: z.strictObject(pageParameters({ limitMax: 250, limitDefault: 100 })),
  answer: enveloped("A page of users", pageOf("AccessRoleMemberPage", RoleMember)),
  run: (ctx, { params, query }) => listRoleMembers(ctx, params.role_id, query),
});

members.operation("addRoleMember", "PUT /{role_id}/members/{user_id}", {
  permission: "team:manage",
  audit: "role_member.add",
  summary: "Give a user a data-access role",
  description: "Who has it keeps it.",
  params: MemberPath,
  answer: nothing("The user has the role"),
  run: (ctx, { params }) => addRoleMember(ctx, params.role_id, params.user_id),
});

members.operation("removeRoleMember", "DELETE /{role_id}/members/{user_id}", {
  permission: "team:manage",
  audit: "role_member.remove",
  summary: "Take a data-access role from a user",
  description: "Their runs lose it at once, their other statements within half a minute.",
  params: MemberPath,
  answer: nothing("The user has the role no more"),
  run: (ctx, { params }) => removeRoleMember(ctx, params.role_id, params.user_id),
});
