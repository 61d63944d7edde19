// /v4/session: signing in and out. Who asks here may have no session; all of it is for pages of the platform's own.

import { enveloped, nothing } from "../../../http/answer.ts";
import { createRouter } from "../../../http/router.ts";
import { callerAddressOf } from "../../../http/sessions/caller-address.ts";
import { withCookie } from "../../../http/sessions/cookie.ts";
import { requireSameOrigin } from "../../../http/sessions/same-origin.ts";
import { LinkRequest, RequestedLink } from "../magic-links/magic-link.ts";
import { requestSignInLink } from "../magic-links/request.ts";
import { NewOidcSignIn, OidcStart } from "../identities/identity.ts";
import { PasskeyChallenge } from "../passkeys/passkey.ts";
import { beginSignInByOidc } from "./by-oidc.ts";
import { createSignInChallenge } from "./by-passkey.ts";
import { createSession } from "./create.ts";
import { SignInAnswer } from "../sessions/session.ts";
import { signOut } from "../sessions/sign-out.ts";
import { findProviders, ProvidersOfAddress } from "./find-providers.ts";
import { previewSignIn, SignInPreview } from "./preview.ts";
import { NewSession, SignInCredential } from "./proof.ts";
import { getSignInWays, SignInWays } from "./ways.ts";

export const session = createRouter(["Sessions", "Extensions"]);

session.operation("createSession", "POST /", {
  permission: "everybody",
  audit: ["session.create", "session.delete", "magic_link.use", "identity.create"],
  summary: "Sign in",
  description:
    "Sets a cookie that names a session, which counts instead of a key for requests of the platform's own pages, and " +
    "for none else: 403 unless `Sec-Fetch-Site` is `same-origin`, or `Origin` the platform's own. It ends seven days " +
    "after its last use, and after thirty days. 401 for what signs nobody in, whatever is the matter with it. By Cloudflare Access, the answer " +
    "may be `choose_team`, without a session: users of several teams have the address. The session that the request came " +
    "in, whosoever's it was, ends.",
  body: NewSession,
  answer: withCookie(enveloped("Who signed in, and the session", SignInAnswer)),
  fails: [
    ...(["invalid_request", "auth_invalid_token", "forbidden_insufficient_permissions"] as const),
    ...(["too_many_requests", "source_unavailable"] as const),
  ],
  run: (ctx, { body }) =>
    createSession(ctx, { proof: body, request: ctx.request, requestId: ctx.requestId, now: new Date() }),
});

session.operation("previewSignIn", "POST /preview", {
  permission: "everybody",
  reads: true,
  audit: "none",
  summary: "See whom a key or a link would sign in",
  description:
    "Before somebody confirms it: whoever has sent them the address may want them in another account than their own. " +
    "A link still works afterwards. 401 for what signs nobody in, whatever is the matter with it.",
  body: SignInCredential,
  answer: enveloped("The user, and the team", SignInPreview),
  fails: ["auth_invalid_token", "forbidden_insufficient_permissions", "too_many_requests"],
  run: (ctx, { body }) => previewSignIn(ctx, body, { request: ctx.request, now: new Date() }),
});

session.operation("signOut", "DELETE /", {
  permission: "everybody",
  audit: "session.delete",
  summary: "Sign out",
  description: "Ends the session of the request, if it comes in one, and its cookie.",
  answer: withCookie(nothing("Signed out")),
  fails: ["forbidden_insufficient_permissions"],
  run: (ctx) => signOut(ctx, { request: ctx.request, requestId: ctx.requestId, now: new Date() }),
});

session.operation("requestSignInLink", "POST /links", {
  permission: "everybody",
  audit: "none",
  summary: "Ask for a link that signs in, by mail",
  description:
    "One mail, with a link into each team that the address is a user's of. The answer is the same where it is nobody's. " +
    "A link works once, for a quarter of an hour. 429 for an address that was asked for too often, and for a caller " +
    "who asks too often.",
  body: LinkRequest,
  answer: enveloped("The mail goes out, where there is somebody to get it", RequestedLink, 202),
  fails: ["forbidden_insufficient_permissions", "too_many_requests", "mail_unavailable"],
  run(ctx, { body }) {
    requireSameOrigin(ctx.request);
    const { origin } = new URL(ctx.request.url);
    return requestSignInLink(ctx, body, { origin, callerAddress: callerAddressOf(ctx.request), now: new Date() });
  },
});

session.operation("createSignInChallenge", "POST /passkey", {
  permission: "everybody",
  reads: true,
  audit: "none",
  summary: "Begin to sign in by a passkey",
  description:
    "The options are for `navigator.credentials.get`; what it answers goes to `POST /v4/session` with the token. 400 " +
    "where browsers have no passkeys: the platform is asked by an address, or by plain http.",
  answer: enveloped("What the browser has a passkey sign", PasskeyChallenge),
  fails: ["invalid_request", "forbidden_insufficient_permissions"],
  run(ctx) {
    requireSameOrigin(ctx.request);
    return createSignInChallenge(ctx, { request: ctx.request, now: new Date() });
  },
});

session.operation("beginOidc", "POST /oidc", {
  permission: "everybody",
  reads: true,
  audit: "none",
  summary: "Begin to sign in at a team's identity provider",
  description:
    "The browser goes to the address, and comes back to the callback with `state` and `code`; that query goes to " +
    "`POST /v4/session`, from the same browser, within ten minutes.",
  body: NewOidcSignIn,
  answer: withCookie(enveloped("Where the browser goes", OidcStart)),
  fails: [
    ...(["invalid_request", "forbidden_insufficient_permissions", "resource_not_found"] as const),
    ...(["too_many_requests", "source_unavailable"] as const),
  ],
  run(ctx, { body }) {
    requireSameOrigin(ctx.request);
    return beginSignInByOidc(ctx, body.provider_id, { request: ctx.request, now: new Date() });
  },
});

session.operation("findProviders", "POST /ways", {
  permission: "everybody",
  reads: true,
  audit: "none",
  summary: "Find the identity providers for an address",
  description: "Those of teams whose proven domain the address is of. Nothing is said of the address itself.",
  body: LinkRequest,
  answer: enveloped("The identity providers", ProvidersOfAddress),
  fails: ["forbidden_insufficient_permissions", "too_many_requests"],
  run(ctx, { body }) {
    requireSameOrigin(ctx.request);
    return findProviders(ctx, body.email, { request: ctx.request, now: new Date() });
  },
});

session.operation("getSignInWays", "GET /ways", {
  permission: "everybody",
  summary: "Get the ways to sign in",
  description: "Those that are set up on this platform.",
  answer: enveloped("The ways to sign in", SignInWays),
  fails: ["too_many_requests"],
  run: (ctx) => getSignInWays(ctx, ctx.request),
});
