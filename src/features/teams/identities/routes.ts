// Accounts at the team's identity provider: one's own, and those of the team's people.

import { z } from "@hono/zod-openapi";
import { enveloped, nothing, pageOf } from "../../../http/answer.ts";
import { pageParameters } from "../../../http/request/query-params.ts";
import { createRouter } from "../../../http/router.ts";
import { withCookie } from "../../../http/sessions/cookie.ts";
import { beginIdentity, createIdentity } from "./create.ts";
import { deleteIdentity } from "./delete.ts";
import { Identity, NewIdentity, OidcStart } from "./identity.ts";
import { listIdentities, listUserIdentities } from "./list.ts";

export const identities = createRouter(["Identity providers", "Extensions"]);

const IdentityQuery = z.strictObject(pageParameters({ limitMax: 250, limitDefault: 100 }));
const IdentityPage = pageOf("IdentityPage", Identity);

identities.operation("listIdentities", "GET /identities", {
  permission: "any_key",
  summary: "List one's own accounts at the identity provider",
  description: "Those that are bound, oldest first.",
  query: IdentityQuery,
  answer: enveloped("A page of accounts, oldest first", IdentityPage),
  run: (ctx, { query }) => listIdentities(ctx, query),
});

identities.operation("listUserIdentities", "GET /users/{user_id}/identities", {
  permission: "team:manage",
  summary: "List a user's accounts at the identity provider",
  description: "Those that are bound, oldest first.",
  params: z.object({ user_id: z.string() }),
  query: IdentityQuery,
  answer: enveloped("A page of accounts, oldest first", IdentityPage),
  run: (ctx, { params, query }) => listUserIdentities(ctx, params.user_id, query),
});

identities.operation("beginIdentity", "POST /identities/oidc", {
  permission: "any_key",
  reads: true,
  audit: "none",
  summary: "Begin to bind an account at the identity provider",
  description:
    "For a person in a browser: 409 for a key, 403 in a session that was made by a key with scopes or an end. The browser " +
    "goes to the address, and comes back to the callback with `state` and `code`.",
  answer: withCookie(enveloped("Where the browser goes", OidcStart)),
  fails: ["resource_not_found", "resource_conflict", "source_unavailable"],
  run: (ctx) => beginIdentity(ctx, ctx.request),
});

identities.operation("createIdentity", "POST /identities", {
  permission: "any_key",
  audit: "identity.create",
  summary: "Bind an account at the identity provider to oneself",
  description: "With the query that the provider has sent the browser back with. It signs in from then on.",
  body: NewIdentity,
  answer: enveloped("The account", Identity, 201),
  fails: ["resource_conflict"],
  run: (ctx, { body }) => createIdentity(ctx, body.parameters, ctx.request),
});

identities.operation("deleteIdentity", "DELETE /identities/{identity_id}", {
  permission: "any_key",
  audit: "identity.delete",
  summary: "Unbind an account at the identity provider",
  description:
    "One's own, or, with the right `team:manage`, anybody's of the team; an operator's is unbound by operators alone. " +
    "Sessions that it has made go on.",
  params: z.object({ identity_id: z.string() }),
  answer: nothing("Unbound"),
  run: (ctx, { params }) => deleteIdentity(ctx, params.identity_id),
});
