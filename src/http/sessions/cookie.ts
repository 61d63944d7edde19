// The cookies of the platform's own pages: where that of a session counts, and how they are read, set and ended.

import { parse } from "hono/utils/cookie";
import { isLoopback } from "../../core/public-url.ts";
import { Problem } from "../../core/problem.ts";
import { describeHeaders, type Answer } from "../answer.ts";
import { isSameOrigin } from "./same-origin.ts";

/**
 * Below these paths a session counts. What programs, databases' clients and containers call is not among them, and what
 * is not named here takes keys alone.
 */
const COOKIE_PATHS = ["/v1/query", "/v1/api", "/v1/store", "/v3", "/v4"];

/** 256 bits in base64url. */
const TOKEN = /^[\w-]{43}$/;

/**
 * The token of the session that a request comes in; undefined where it brings a key, where its path takes no session,
 * or where it does not come from a page of the platform's own, for reads too.
 */
export function sessionTokenOf(request: Request): string | undefined {
  const { headers } = request;
  const cookie = headers.get("cookie");
  if (cookie === null || headers.has("authorization")) return undefined;
  const url = new URL(request.url);
  const takesCookie = COOKIE_PATHS.some((path) => url.pathname === path || url.pathname.startsWith(`${path}/`));
  return takesCookie && isSameOrigin(request) ? readSessionCookie(request) : undefined;
}

/** The token of the session that the request's cookie names, whatever its path and origin. */
export function readSessionCookie(request: Request): string | undefined {
  const token = readCookie(request, "session");
  return token !== undefined && TOKEN.test(token) ? token : undefined;
}

/** What a cookie of the platform's own holds. */
export function readCookie({ url, headers }: Request, kind: CookieKind): string | undefined {
  const name = nameOf(new URL(url), kind);
  return name && parse(headers.get("cookie") ?? "", name)[name];
}

/** Throws 400 where the platform is asked by an address at which it sets no cookie. */
export function requireCookies(request: Request): void {
  if (nameOf(new URL(request.url), "session") !== undefined) return;
  throw new Problem("invalid_request", "Nobody signs in by plain http: open the platform by https.");
}

/** Ends the cookie that names a session. */
export const clearedCookie = (request: Request): string => cookieOf(request, "session", "", 0);

/** Sets a cookie for so long; 0 ends it. */
export function cookieOf(request: Request, kind: CookieKind, value: string, maxAgeSeconds: number): string {
  const url = new URL(request.url);
  const isSecure = url.protocol === "https:";
  const attributes = [
    "HttpOnly",
    ...(isSecure ? ["Secure"] : []),
    "SameSite=Lax",
    "Path=/",
    `Max-Age=${maxAgeSeconds}`,
  ];
  return [`${nameOf(url, kind)}=${value}`, ...attributes].join("; ");
}

/** What the platform keeps in browsers: who is signed in, and what is begun at an identity provider. */
type CookieKind = keyof typeof NAMES;
const NAMES = { session: "fjord", oidc: "fjord-oidc" };

/**
 * The prefix keeps the cookie to this very host and to https. Browsers take no such cookie of this machine itself, by
 * plain http; undefined for any other plain http, which would show the cookie to the network.
 */
function nameOf(url: URL, kind: CookieKind): string | undefined {
  if (url.protocol === "https:") return `__Host-${NAMES[kind]}`;
  return isLoopback(url) ? NAMES[kind] : undefined;
}

/** An answer that sets a cookie, or ends it; null leaves it as it is. */
export const withCookie = <Value>(answer: Answer<Value>): Answer<{ value: Value; cookie: string | null }> => ({
  status: answer.status,
  document: describeHeaders({ "Set-Cookie": "Sets or ends a cookie of the platform's own pages." }, answer.document),
  bodyOf: (call, { value }) => answer.bodyOf(call, value),
  headersOf: ({ cookie }): Record<string, string> => (cookie === null ? {} : { "Set-Cookie": cookie }),
});
