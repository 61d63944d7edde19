// The keys of whoever is signed in: what the command line gets, and what ends there.

import { z } from "@hono/zod-openapi";
import { enveloped, nothing, pageOf } from "../../../http/answer.ts";
import { pageParameters } from "../../../http/request/query-params.ts";
import { createRouter } from "../../../http/router.ts";
import { ApiKey, MintedKey, NewOwnKey } from "./key.ts";
import { createOwnKey, deleteOwnKey, listOwnKeys } from "./own-keys.ts";

export const ownKeys = createRouter(["Keys", "Extensions"]);

ownKeys.operation("listOwnKeys", "GET /keys", {
  permission: "any_key",
  summary: "List one's own keys",
  description: "Oldest first. For a person in a browser: 409 for a key.",
  query: z.strictObject(pageParameters({ limitMax: 250, limitDefault: 100 })),
  answer: enveloped("A page of keys, oldest first", pageOf("OwnKeyPage", ApiKey)),
  fails: ["resource_conflict"],
  run: (ctx, { query }) => listOwnKeys(ctx, query),
});

ownKeys.operation("createOwnKey", "POST /keys", {
  permission: "any_key",
  audit: "key.create",
  summary: "Make a key for oneself",
  description:
    "For a person in a browser: 409 for a key, 403 in a session that the key would outlast (one of the team's identity " +
    "provider, or of a key with scopes or an end). It ends within 100 days, and may at most what its user may.",
  body: NewOwnKey,
  answer: enveloped("The key, shown this once", MintedKey, 201),
  fails: ["resource_conflict"],
  run: (ctx, { body }) => createOwnKey(ctx, body),
});

ownKeys.operation("deleteOwnKey", "DELETE /keys/{key_id}", {
  permission: "any_key",
  audit: "key.delete",
  summary: "Revoke one of one's own keys",
  description:
    "A person in a browser revokes any of theirs, and a key itself alone: to it others are not there. The last key without an end and scopes that a " +
    "team's admins have stays.",
  params: z.object({ key_id: z.string() }),
  answer: nothing("Revoked"),
  fails: ["resource_conflict"],
  run: (ctx, { params }) => deleteOwnKey(ctx, params.key_id),
});
