// /v4/data-access/me, and what admins ask of users under /v4/data-access/users.

import { z } from "@hono/zod-openapi";
import { DATA_ACCESS_LIMITS } from "../limits.ts";
import { enveloped } from "../../../http/answer.ts";
import { createRouter } from "../../../http/router.ts";
import { EffectiveAccess } from "./access.ts";
import { UserAttributes, UserAttributesChange } from "./attributes.ts";
import { getUserAttributes } from "./get-attributes.ts";
import { getMyAccess } from "./get-my-access.ts";
import { AccessPreview, previewAccess } from "./preview.ts";
import { setUserAttributes } from "./set-attributes.ts";

export const users = createRouter(["Data access", "Extensions"]);

const UserPath = z.object({ user_id: z.string() });

users.operation("getMyAccess", "GET /me", {
  permission: "any_key",
  summary: "Get what the caller may read",
  description:
    "Roles, what they grant in each integration with the caller's attributes filled in, and the attributes. Columns " +
    "that a grant leaves out are not named. A run's key is told of who started the run.",
  tags: ["Data access"],
  answer: enveloped("As it is now", EffectiveAccess),
  run: (ctx) => getMyAccess(ctx),
});

users.operation("getUserAttributes", "GET /users/{user_id}/attributes", {
  permission: "team:manage",
  summary: "Get a user's attributes",
  description: "Which the filters of roles may name.",
  params: UserPath,
  answer: enveloped("None are set at first", UserAttributes),
  run: (ctx, { params }) => getUserAttributes(ctx, params.user_id),
});

users.operation("setUserAttributes", "PUT /users/{user_id}/attributes", {
  permission: "team:manage",
  audit: "user_attributes.set",
  summary: "Set a user's attributes",
  description: `All of them: one that is not sent is gone. At most ${DATA_ACCESS_LIMITS.attributesMax}, each a text or a list of ${DATA_ACCESS_LIMITS.attributeValuesMax} texts, ${DATA_ACCESS_LIMITS.attributeBytesMax} bytes in all.`,
  params: UserPath,
  body: UserAttributesChange,
  answer: enveloped("As they are set", UserAttributes),
  run: (ctx, { params, body }) => setUserAttributes(ctx, params.user_id, body),
});

users.operation("previewAccess", "GET /users/{user_id}/preview", {
  permission: "team:manage",
  summary: "See what a user may read",
  description:
    "What `GET /v4/data-access/me` tells them, and of a lake that is named its tables and columns as they see them.",
  params: UserPath,
  query: z.strictObject({
    integration_id: z.string().optional().openapi({ description: "Only of this integration." }),
  }),
  answer: enveloped("As it is now", AccessPreview),
  run: (ctx, { params, query }) => previewAccess(ctx, params.user_id, query.integration_id),
});
