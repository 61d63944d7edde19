// GET /me, and the team's people under /users.

import { z } from "@hono/zod-openapi";
import { BODY_FAILURES, enveloped, envelope, fails, json, pageOf } from "../../../http/answer.ts";
import { operation } from "../../../http/operation.ts";
import { pageParameters } from "../../../http/request/query-params.ts";
import { createRouter } from "../../../http/router.ts";
import { createUser } from "./create.ts";
import { deleteUser } from "./delete.ts";
import { listUsers } from "./list.ts";
import { getMe, Me } from "../me.ts";
import { updateUser } from "./update.ts";
import { NewUser, User, UserPatch } from "./user.ts";

export const users = createRouter();

const UserPath = z.object({ user_id: z.string() });
const TAGS = ["Users", "Extensions"];

users.openapi(
  operation({
    method: "get",
    path: "/me",
    operationId: "getMe",
    permission: "any_key",
    summary: "Get the caller: user, team, role and rights",
    description: "Told from the key alone: whoever holds one may ask.",
    tags: TAGS,
    responses: { 200: enveloped("The caller", Me), ...fails() },
  }),
  (c) => c.json(envelope(c, getMe(c.get("ctx").scope)), 200),
);

users.openapi(
  operation({
    method: "get",
    path: "/users",
    operationId: "listUsers",
    summary: "List the team's users",
    description: "Oldest first.",
    tags: TAGS,
    permission: "team:manage",
    request: { query: z.strictObject(pageParameters({ limitMax: 250, limitDefault: 100 })) },
    responses: { 200: enveloped("A page of users, oldest first", pageOf("UserPage", User)), ...fails() },
  }),
  async (c) => c.json(envelope(c, await listUsers(c.get("ctx"), c.req.valid("query"))), 200),
);

users.openapi(
  operation({
    method: "post",
    path: "/users",
    operationId: "createUser",
    summary: "Add a user to the team",
    description:
      "Who has no key yet; make one with `POST /v4/users/{user_id}/keys`. An email address is used once within a team.",
    tags: TAGS,
    permission: "team:manage",
    request: { body: { required: true, ...json(NewUser) } },
    responses: {
      201: enveloped("The new user, who has no key yet", User),
      ...fails("resource_conflict", ...BODY_FAILURES),
    },
  }),
  async (c) => c.json(envelope(c, await createUser(c.get("ctx"), c.req.valid("json"))), 201),
);

users.openapi(
  operation({
    method: "patch",
    path: "/users/{user_id}",
    operationId: "updateUser",
    summary: "Change a user's name or role",
    description: "Only the fields that are sent. The last admin of a team stays one.",
    tags: TAGS,
    permission: "team:manage",
    request: { params: UserPath, body: { required: true, ...json(UserPatch) } },
    responses: {
      200: enveloped("The user", User),
      ...fails("resource_not_found", "resource_conflict", ...BODY_FAILURES),
    },
  }),
  async (c) =>
    c.json(envelope(c, await updateUser(c.get("ctx"), c.req.valid("param").user_id, c.req.valid("json"))), 200),
);

users.openapi(
  operation({
    method: "delete",
    path: "/users/{user_id}",
    operationId: "deleteUser",
    summary: "Remove a user and all their keys",
    description:
      "The keys may be honoured for some seconds more, and what runs with the user's rights is cancelled. The last " +
      "admin of a team stays.",
    tags: TAGS,
    permission: "team:manage",
    request: { params: UserPath },
    responses: { 204: { description: "Removed" }, ...fails("resource_not_found", "resource_conflict") },
  }),
  async (c) => {
    await deleteUser(c.get("ctx"), c.req.valid("param").user_id);
    return c.body(null, 204);
  },
);
