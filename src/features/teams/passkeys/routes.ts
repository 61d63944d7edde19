// Passkeys: one's own, and those of the team's people.

import { z } from "@hono/zod-openapi";
import { enveloped, nothing, pageOf } from "../../../http/answer.ts";
import { pageParameters } from "../../../http/request/query-params.ts";
import { createRouter } from "../../../http/router.ts";
import { createPasskey, createPasskeyChallenge } from "./create.ts";
import { deletePasskey } from "./delete.ts";
import { listPasskeys, listUserPasskeys } from "./list.ts";
import { NewPasskey, Passkey, PasskeyChallenge } from "./passkey.ts";

export const passkeys = createRouter(["Sessions", "Extensions"]);

const PasskeyQuery = z.strictObject(pageParameters({ limitMax: 250, limitDefault: 100 }));
const PasskeyPage = pageOf("PasskeyPage", Passkey);

passkeys.operation("listPasskeys", "GET /passkeys", {
  permission: "any_key",
  summary: "List one's own passkeys",
  description: "Oldest first.",
  query: PasskeyQuery,
  answer: enveloped("A page of passkeys, oldest first", PasskeyPage),
  run: (ctx, { query }) => listPasskeys(ctx, query),
});

passkeys.operation("listUserPasskeys", "GET /users/{user_id}/passkeys", {
  permission: "team:manage",
  summary: "List a user's passkeys",
  description: "Oldest first.",
  params: z.object({ user_id: z.string() }),
  query: PasskeyQuery,
  answer: enveloped("A page of passkeys, oldest first", PasskeyPage),
  run: (ctx, { params, query }) => listUserPasskeys(ctx, params.user_id, query),
});

passkeys.operation("createPasskeyChallenge", "POST /passkeys/challenge", {
  permission: "any_key",
  reads: true,
  audit: "none",
  summary: "Begin to make a passkey",
  description:
    "For a person in a browser: 409 for a key, 403 in a session that was made by a key with scopes or an end. The " +
    "options are for `navigator.credentials.create`; what it answers goes to `POST /v4/passkeys` with the token.",
  answer: enveloped("What the browser makes a passkey of", PasskeyChallenge),
  fails: ["invalid_request", "resource_conflict"],
  run: (ctx) => createPasskeyChallenge(ctx, ctx.request),
});

passkeys.operation("createPasskey", "POST /passkeys", {
  permission: "any_key",
  audit: "passkey.create",
  summary: "Keep a passkey that the browser has made",
  description: "It signs in on this host, without a key and without a mail.",
  body: NewPasskey,
  example: {
    name: "Laptop",
    token: "…",
    response: {
      id: "dGhlIGlk",
      rawId: "dGhlIGlk",
      type: "public-key",
      response: { clientDataJSON: "e30", attestationObject: "oA", transports: ["internal"] },
    },
  },
  answer: enveloped("The passkey", Passkey, 201),
  fails: ["invalid_request", "resource_conflict"],
  run: (ctx, { body }) => createPasskey(ctx, body, ctx.request),
});

passkeys.operation("deletePasskey", "DELETE /passkeys/{passkey_id}", {
  permission: "any_key",
  audit: "passkey.delete",
  summary: "Forget a passkey",
  description:
    "One's own, or, with the right `team:manage`, anybody's of the team; an operator's is ended by operators alone. " +
    "Sessions that it has made go on.",
  params: z.object({ passkey_id: z.string() }),
  answer: nothing("Forgotten"),
  run: (ctx, { params }) => deletePasskey(ctx, params.passkey_id),
});
