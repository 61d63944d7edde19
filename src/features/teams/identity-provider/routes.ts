// The team's identity provider.

import { enveloped, nothing } from "../../../http/answer.ts";
import { createRouter } from "../../../http/router.ts";
import { deleteIdentityProvider } from "./delete.ts";
import { IdentityProvider, NewIdentityProvider, providerFrom, TeamIdentityProvider } from "./provider.ts";
import { setIdentityProvider } from "./set.ts";
import { findProviderOf } from "./store.ts";

export const identityProvider = createRouter(["Identity providers", "Extensions"]);

identityProvider.operation("getIdentityProvider", "GET /team/identity-provider", {
  permission: "any_key",
  summary: "Get the team's identity provider",
  description: "Without its secret.",
  answer: enveloped("The identity provider, if the team has one", TeamIdentityProvider),
  async run({ scope, db, request }) {
    const found = await findProviderOf(db, scope.teamId);
    return { provider: found ? providerFrom(found, request) : null };
  },
});

identityProvider.operation("setIdentityProvider", "PUT /team/identity-provider", {
  permission: "team:manage",
  audit: "identity_provider.set",
  summary: "Set the team's identity provider",
  description:
    "By OpenID Connect with PKCE. It signs in users of this team alone, and never gives a role. Somebody's account is " +
    "bound to them when they are signed in by another way, or, of members, by an address of a proven domain that the " +
    "provider has verified. 422 where the issuer's discovery does not answer by https.",
  body: NewIdentityProvider,
  answer: enveloped("The identity provider, without its secret", IdentityProvider),
  run: async (ctx, { body }) => providerFrom(await setIdentityProvider(ctx, body), ctx.request),
});

identityProvider.operation("deleteIdentityProvider", "DELETE /team/identity-provider", {
  permission: "team:manage",
  audit: "identity_provider.delete",
  summary: "Give up the team's identity provider",
  description: "Nobody signs in by it any more; sessions that are there go on.",
  answer: nothing("Given up"),
  fails: ["resource_not_found"],
  run: (ctx) => deleteIdentityProvider(ctx),
});
