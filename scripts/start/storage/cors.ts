// Lets pages of other origins use signed URLs, as the CORS policy does that a deployment gives its bucket: the console
// uploads and downloads by them. A signature is what allows a request; its origin allows nothing.

import type { IncomingMessage } from "node:http";

export const CORS_HEADERS = { "access-control-allow-origin": "*", "access-control-expose-headers": "ETag" } as const;

export const PREFLIGHT_HEADERS = {
  ...CORS_HEADERS,
  "access-control-allow-methods": "GET, HEAD, PUT",
  "access-control-allow-headers": "*",
  "access-control-max-age": "3600",
} as const;

/** A browser's question before its request, which carries no signature of its own. */
export const isPreflight = ({ method, headers }: Pick<IncomingMessage, "method" | "headers">): boolean =>
  method === "OPTIONS" && headers.origin !== undefined && headers["access-control-request-method"] !== undefined;
