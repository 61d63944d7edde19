// GET /me, and the team's people under /users.

import { z } from "@hono/zod-openapi";
import { enveloped, nothing, pageOf } from "../../../http/answer.ts";
import { pageParameters } from "../../../http/request/query-params.ts";
import { createRouter } from "../../../http/router.ts";
import { createUser } from "./create.ts";
import { deleteUser } from "./delete.ts";
import { getUser } from "./get.ts";
import { listUsers } from "./list.ts";
import { getMe, Me } from "../me.ts";
import { updateUser } from "./update.ts";
import { NewUser, User, UserPatch } from "./user.ts";

export const users = createRouter(["Users", "Extensions"]);

const UserPath = z.object({ user_id: z.string() });

users.operation("getMe", "GET /me", {
  permission: "any_key",
  summary: "Get the caller: user, team, role and rights",
  description: "Told from the key or the session alone: whoever has one may ask.",
  answer: enveloped("The caller", Me),
  run: (ctx) => getMe(ctx.scope),
});

users.operation("listUsers", "GET /users", {
  permission: "team:manage",
  summary: "List the team's users",
  description: "Oldest first.",
  query: z.strictObject(pageParameters({ limitMax: 250, limitDefault: 100 })),
  answer: enveloped("A page of users, oldest first", pageOf("UserPage", User)),
  run: (ctx, { query }) => listUsers(ctx, query),
});

users.operation("createUser", "POST /users", {
  permission: "team:manage",
  audit: "user.create",
  summary: "Add a user to the team",
  description:
    "Who has no key yet; make one with `POST /v4/users/{user_id}/keys`. An email address is used once within a team.",
  body: NewUser,
  answer: enveloped("The new user, who has no key yet", User, 201),
  fails: ["resource_conflict"],
  run: (ctx, { body }) => createUser(ctx, body),
});

users.operation("getUser", "GET /users/{user_id}", {
  permission: "team:manage",
  summary: "Get a user of the team",
  description: "As the list has them.",
  params: UserPath,
  answer: enveloped("The user", User),
  run: (ctx, { params }) => getUser(ctx, params.user_id),
});

users.operation("updateUser", "PATCH /users/{user_id}", {
  permission: "team:manage",
  audit: "user.update",
  summary: "Change a user's name or role",
  description: "Only the fields that are sent. The last admin of a team stays one.",
  params: UserPath,
  body: UserPatch,
  answer: enveloped("The user", User),
  fails: ["resource_conflict"],
  run: (ctx, { params, body }) => updateUser(ctx, params.user_id, body),
});

users.operation("deleteUser", "DELETE /users/{user_id}", {
  permission: "team:manage",
  audit: "user.delete",
  summary: "Remove a user and all their keys",
  description:
    "The keys may be honoured for some seconds more, and what runs with the user's rights is cancelled. The last " +
    "admin of a team stays.",
  params: UserPath,
  answer: nothing("Removed"),
  fails: ["resource_conflict"],
  run: (ctx, { params }) => deleteUser(ctx, params.user_id),
});
