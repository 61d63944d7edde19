// A user's API keys.

import { z } from "@hono/zod-openapi";
import { enveloped, nothing, pageOf } from "../../../http/answer.ts";
import { pageParameters } from "../../../http/request/query-params.ts";
import { createRouter } from "../../../http/router.ts";
import { createKey } from "./create.ts";
import { deleteKey } from "./delete.ts";
import { getKey } from "./get.ts";
import { ApiKey, KeyRotation, MintedKey, NewKey, RotatedKey } from "./key.ts";
import { listKeys } from "./list.ts";
import { rotateKey } from "./rotate.ts";

export const keys = createRouter(["Keys", "Extensions"]);

const UserPath = z.object({ user_id: z.string() });
const KeyPath = UserPath.extend({ key_id: z.string() });

keys.operation("listKeys", "GET /users/{user_id}/keys", {
  permission: "team:manage",
  summary: "List a user's keys",
  description: "Oldest first, with name, last characters and expiry. The keys themselves are never shown again.",
  params: UserPath,
  query: z.strictObject(pageParameters({ limitMax: 250, limitDefault: 100 })),
  answer: enveloped(
    "A page of keys, oldest first; the keys themselves are never shown again",
    pageOf("ApiKeyPage", ApiKey),
  ),
  run: (ctx, { params, query }) => listKeys(ctx, params.user_id, query),
});

keys.operation("createKey", "POST /users/{user_id}/keys", {
  permission: "team:manage",
  audit: "key.create",
  summary: "Make a key for a user",
  description:
    "It acts with the rights of its user, or with those among its `scopes`; outside them it gets 403, which names the " +
    "right. Without `expires_at` it lasts until it is revoked. A key with scopes makes only keys whose scopes are " +
    "among its own.",
  params: UserPath,
  body: NewKey,
  answer: enveloped("The key, shown this once", MintedKey, 201),
  run: (ctx, { params, body }) => createKey(ctx, params.user_id, body),
});

keys.operation("getKey", "GET /users/{user_id}/keys/{key_id}", {
  permission: "team:manage",
  summary: "Get a key",
  description: "Its name, last characters, scopes, expiry and last use. The key itself is never shown again.",
  params: KeyPath,
  answer: enveloped("The key, without itself", ApiKey),
  run: (ctx, { params }) => getKey(ctx, params.user_id, params.key_id),
});

keys.operation("rotateKey", "POST /users/{user_id}/keys/{key_id}/rotate", {
  permission: "team:manage",
  audit: "key.rotate",
  summary: "Make a key instead of another",
  description:
    "With its name and scopes. The one before works for `overlap_seconds` more, and no longer than it would have; " +
    "other parts of the platform may honour it for some seconds beyond. Each key is rotated once: 409 for one that " +
    "was, or that has expired, and where nobody would have a key without an end any more. Both count as keys of the " +
    "plan while both work: where it is full, an overlap of 0 has room.",
  params: KeyPath,
  body: KeyRotation,
  answer: enveloped("The new key, shown this once, and the one before", RotatedKey, 201),
  fails: ["resource_conflict"],
  run: (ctx, { params, body }) => rotateKey(ctx, params.user_id, params.key_id, body),
});

keys.operation("deleteKey", "DELETE /users/{user_id}/keys/{key_id}", {
  permission: "team:manage",
  audit: "key.delete",
  summary: "Revoke a key",
  description:
    "The last key without an end and scopes that a team's admins have stays, so that a team can't lock itself out; " +
    "nor can the platform's operators.",
  params: KeyPath,
  answer: nothing("Revoked"),
  fails: ["resource_conflict"],
  run: (ctx, { params }) => deleteKey(ctx, params.user_id, params.key_id),
});
