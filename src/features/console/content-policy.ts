// The content security policies of the console's pages: scripts of this host alone, styles that carry the answer's
// nonce, and requests to this host and, for the console itself, to the bucket. A tile's own page has no network at all.

import { toHex } from "../../core/encoding.ts";

const NONCE_BYTES = 16;

/** The build leaves these words in a page: wherever a nonce belongs, and where the origins that may frame it stand. */
export const NONCE_PLACE = "CSP_NONCE";
export const ORIGINS_PLACE = "FRAMING_ORIGINS";

export const mintNonce = (): string => toHex(crypto.getRandomValues(new Uint8Array(NONCE_BYTES)));

/** `tileFrame` is the address of the one page that it frames. */
type PagePolicy = { nonce: string; connect: readonly string[]; tileFrame: string; ancestors: readonly string[] };

const pagePolicy = ({ nonce, connect, tileFrame, ancestors }: PagePolicy): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    `connect-src ${["'self'", ...connect].join(" ")}`,
    // A tile's own page, which can't be led anywhere else while this stands: what this host counts, others can read.
    `frame-src ${tileFrame.replace(/[;,]/g, encodeURIComponent)}`,
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${ancestors.length === 0 ? "'none'" : ancestors.join(" ")}`,
  ].join("; ");

/** `bucketOrigin` is where signed URLs of the bucket lead. */
export const consolePolicy = (nonce: string, tileFrame: string, bucketOrigin: string): string =>
  pagePolicy({ nonce, tileFrame, connect: [bucketOrigin], ancestors: [] });

/** `origins` are those whose pages may frame the dashboard. */
export const embeddingPolicy = (nonce: string, tileFrame: string, origins: readonly string[]): string =>
  pagePolicy({ nonce, tileFrame, connect: [], ancestors: origins });

/**
 * Whatever a team has written runs there: without an origin, also where it is opened by itself, and without a network.
 * `scriptHash` is that of the one script that may stand in it, which runs the team's. Frames within it take this policy
 * over, and so run nothing that has what that script takes away. All pages around it are ancestors: those that frame a
 * dashboard are in the list beside this host.
 */
export const tileFramePolicy = (scriptHash: string, origins: readonly string[]): string =>
  [
    "default-src 'none'",
    `script-src 'sha256-${scriptHash}' 'unsafe-eval'`,
    "style-src 'unsafe-inline'",
    "img-src data: blob:",
    "font-src data:",
    "media-src data: blob:",
    "base-uri 'none'",
    "form-action 'none'",
    "sandbox allow-scripts",
    `frame-ancestors ${["'self'", ...origins].join(" ")}`,
  ].join("; ");
