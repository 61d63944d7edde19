// /v4/data-access/me, and what admins ask of users under /v4/data-access/users.

import { z } from "@hono/zod-openapi";
import { LIMITS } from "../../../core/limits.ts";
import { BODY_FAILURES, enveloped, envelope, fails, json } from "../../../http/answer.ts";
import { operation } from "../../../http/operation.ts";
import { createRouter } from "../../../http/router.ts";
import { EffectiveAccess } from "./access.ts";
import { UserAttributes, UserAttributesChange } from "./attributes.ts";
import { getUserAttributes } from "./get-attributes.ts";
import { getMyAccess } from "./get-my-access.ts";
import { AccessPreview, previewAccess } from "./preview.ts";
import { setUserAttributes } from "./set-attributes.ts";

export const users = createRouter();

const UserPath = z.object({ user_id: z.string() });
const TAGS = ["Data access", "Extensions"];

users.openapi(
  operation({
    method: "get",
    path: "/me",
    operationId: "getMyAccess",
    permission: "any_key",
    summary: "Get what the caller may read",
    description:
      "Roles, what they grant in each integration with the caller's attributes filled in, and the attributes. Columns " +
      "that a grant leaves out are not named. A run's key is told of who started the run.",
    tags: ["Data access"],
    responses: { 200: enveloped("As it is now", EffectiveAccess), ...fails() },
  }),
  async (c) => c.json(envelope(c, await getMyAccess(c.get("ctx"))), 200),
);

users.openapi(
  operation({
    method: "get",
    path: "/users/{user_id}/attributes",
    operationId: "getUserAttributes",
    summary: "Get a user's attributes",
    description: "Which the filters of roles may name.",
    tags: TAGS,
    permission: "team:manage",
    request: { params: UserPath },
    responses: { 200: enveloped("None are set at first", UserAttributes), ...fails("resource_not_found") },
  }),
  async (c) => c.json(envelope(c, await getUserAttributes(c.get("ctx"), c.req.valid("param").user_id)), 200),
);

users.openapi(
  operation({
    method: "put",
    path: "/users/{user_id}/attributes",
    operationId: "setUserAttributes",
    summary: "Set a user's attributes",
    description: `All of them: one that is not sent is gone. At most ${LIMITS.accessAttributesMax}, each a text or a list of ${LIMITS.accessAttributeValuesMax} texts, ${LIMITS.accessAttributeBytesMax} bytes in all.`,
    tags: TAGS,
    permission: "team:manage",
    request: { params: UserPath, body: { required: true, ...json(UserAttributesChange) } },
    responses: { 200: enveloped("As they are set", UserAttributes), ...fails("resource_not_found", ...BODY_FAILURES) },
  }),
  async (c) =>
    c.json(envelope(c, await setUserAttributes(c.get("ctx"), c.req.valid("param").user_id, c.req.valid("json"))), 200),
);

users.openapi(
  operation({
    method: "get",
    path: "/users/{user_id}/preview",
    operationId: "previewAccess",
    summary: "See what a user may read",
    description:
      "What `GET /v4/data-access/me` tells them, and of a lake that is named its tables and columns as they see them.",
    tags: TAGS,
    permission: "team:manage",
    request: {
      params: UserPath,
      query: z.strictObject({
        integration_id: z.string().optional().openapi({ description: "Only of this integration." }),
      }),
    },
    responses: { 200: enveloped("As it is now", AccessPreview), ...fails("resource_not_found") },
  }),
  async (c) => {
    const { integration_id: integrationId } = c.req.valid("query");
    return c.json(envelope(c, await previewAccess(c.get("ctx"), c.req.valid("param").user_id, integrationId)), 200);
  },
);
