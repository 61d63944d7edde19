// A user's API keys.

import { z } from "@hono/zod-openapi";
import { BODY_FAILURES, enveloped, envelope, fails, json, pageOf } from "../../../http/answer.ts";
import { operation } from "../../../http/operation.ts";
import { pageParameters } from "../../../http/request/query-params.ts";
import { createRouter } from "../../../http/router.ts";
import { createKey } from "./create.ts";
import { deleteKey } from "./delete.ts";
import { getKey } from "./get.ts";
import { ApiKey, KeyRotation, MintedKey, NewKey, RotatedKey } from "./key.ts";
import { listKeys } from "./list.ts";
import { rotateKey } from "./rotate.ts";

export const keys = createRouter();

const UserPath = z.object({ user_id: z.string() });
const KeyPath = UserPath.extend({ key_id: z.string() });
const TAGS = ["Keys", "Extensions"];

keys.openapi(
  operation({
    method: "get",
    path: "/users/{user_id}/keys",
    operationId: "listKeys",
    summary: "List a user's keys",
    description: "Oldest first, with name, last characters and expiry. The keys themselves are never shown again.",
    tags: TAGS,
    permission: "team:manage",
    request: { params: UserPath, query: z.strictObject(pageParameters({ limitMax: 250, limitDefault: 100 })) },
    responses: {
      200: enveloped(
        "A page of keys, oldest first; the keys themselves are never shown again",
        pageOf("ApiKeyPage", ApiKey),
      ),
      ...fails("resource_not_found"),
    },
  }),
  async (c) =>
    c.json(envelope(c, await listKeys(c.get("ctx"), c.req.valid("param").user_id, c.req.valid("query"))), 200),
);

keys.openapi(
  operation({
    method: "post",
    path: "/users/{user_id}/keys",
    operationId: "createKey",
    summary: "Make a key for a user",
    description:
      "It acts with the rights of its user, or with those among its `scopes`; outside them it gets 403, which names the " +
      "right. Without `expires_at` it lasts until it is revoked. A key with scopes makes only keys whose scopes are " +
      "among its own.",
    tags: TAGS,
    permission: "team:manage",
    request: { params: UserPath, body: { required: true, ...json(NewKey) } },
    responses: {
      201: enveloped("The key, shown this once", MintedKey),
      ...fails("resource_not_found", ...BODY_FAILURES),
    },
  }),
  async (c) =>
    c.json(envelope(c, await createKey(c.get("ctx"), c.req.valid("param").user_id, c.req.valid("json"))), 201),
);

keys.openapi(
  operation({
    method: "get",
    path: "/users/{user_id}/keys/{key_id}",
    operationId: "getKey",
    summary: "Get a key",
    description: "Its name, last characters, scopes, expiry and last use. The key itself is never shown again.",
    tags: TAGS,
    permission: "team:manage",
    request: { params: KeyPath },
    responses: { 200: enveloped("The key, without itself", ApiKey), ...fails("resource_not_found") },
  }),
  async (c) => {
    const { user_id: userId, key_id: keyId } = c.req.valid("param");
    return c.json(envelope(c, await getKey(c.get("ctx"), userId, keyId)), 200);
  },
);

keys.openapi(
  operation({
    method: "post",
    path: "/users/{user_id}/keys/{key_id}/rotate",
    operationId: "rotateKey",
    summary: "Make a key instead of another",
    description:
      "With its name and scopes. The one before works for `overlap_seconds` more, and no longer than it would have; " +
      "other parts of the platform may honour it for some seconds beyond. Each key is rotated once: 409 for one that " +
      "was, or that has expired, and where nobody would have a key without an end any more. Both count as keys of the " +
      "plan while both work: where it is full, an overlap of 0 has room.",
    tags: TAGS,
    permission: "team:manage",
    request: { params: KeyPath, body: { required: true, ...json(KeyRotation) } },
    responses: {
      201: enveloped("The new key, shown this once, and the one before", RotatedKey),
      ...fails("resource_not_found", "resource_conflict", ...BODY_FAILURES),
    },
  }),
  async (c) => {
    const { user_id: userId, key_id: keyId } = c.req.valid("param");
    return c.json(envelope(c, await rotateKey(c.get("ctx"), userId, keyId, c.req.valid("json"))), 201);
  },
);

keys.openapi(
  operation({
    method: "delete",
    path: "/users/{user_id}/keys/{key_id}",
    operationId: "deleteKey",
    summary: "Revoke a key",
    description:
      "The last key without an end and scopes that a team's admins have stays, so that a team can't lock itself out; " +
      "nor can the platform's operators.",
    tags: TAGS,
    permission: "team:manage",
    request: { params: KeyPath },
    responses: { 204: { description: "Revoked" }, ...fails("resource_not_found", "resource_conflict") },
  }),
  async (c) => {
    const { user_id: userId, key_id: keyId } = c.req.valid("param");
    await deleteKey(c.get("ctx"), userId, keyId);
    return c.body(null, 204);
  },
);
