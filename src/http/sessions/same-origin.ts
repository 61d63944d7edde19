// Only a page of the platform's own origin may make or use a session.

import { Problem } from "../../core/problem.ts";

/**
 * Browsers say so in `Sec-Fetch-Site`, which no page can set, and those that do not in `Origin`. A request that says
 * nothing, or that a person made by typing an address, comes from no page.
 */
export function isSameOrigin({ url, headers }: Request): boolean {
  const site = headers.get("sec-fetch-site");
  if (site !== null) return site === "same-origin";
  return headers.get("origin") === new URL(url).origin;
}

/** Throws 403 for a request of anything but a page of the platform's own. */
export function requireSameOrigin(request: Request): void {
  if (isSameOrigin(request)) return;
  throw new Problem(
    "forbidden_insufficient_permissions",
    "Only the platform's own pages sign in and out: send this from its origin, or send an API key with each request.",
  );
}
