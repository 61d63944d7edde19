// A request carries its Signature Version 4 in its query, as a presigned URL, or in its headers, as a client's own
// request that reads.

import type { IncomingMessage } from "node:http";
import { denied, Refusal } from "./refusal.ts";

/** `endsAtMs`: when the signature itself ends, whatever its credentials are good for. */
export type RequestSignature = {
  isInQuery: boolean;
  credential: { id: string; region: string };
  at: string;
  endsAtMs: number;
  signedHeaders: string[];
  token: string;
  signature: string;
};

const IN_QUERY = [
  "X-Amz-Algorithm",
  "X-Amz-Credential",
  "X-Amz-Date",
  "X-Amz-Expires",
  "X-Amz-Security-Token",
  "X-Amz-SignedHeaders",
  "X-Amz-Signature",
];
/** The headers that say who signed, and not what is asked for. */
export const SIGNING_HEADERS = ["x-amz-date", "x-amz-security-token", "x-amz-content-sha256"];

const EXPIRES_MAX = 604_800;
/** How far the clocks of who signs in headers may be apart from this one. */
const CLOCKS_MS = 15 * 60_000;

export const isOfSignature = (parameter: string): boolean => IN_QUERY.includes(parameter);

export function readSignature(
  { method = "GET", headers }: Pick<IncomingMessage, "method" | "headers">,
  query: URLSearchParams,
): RequestSignature {
  // Whoever sends a body signs its digest, which nobody here compares.
  if (headers.authorization !== undefined && (method === "GET" || method === "HEAD"))
    return fromHeaders(headers.authorization, headers);
  if (!IN_QUERY.every((name) => query.get(name)))
    throw denied("Only what is signed with temporary credentials is answered, and only reading in headers.");
  if (query.get("X-Amz-Algorithm") !== "AWS4-HMAC-SHA256") throw denied("The signature is of another kind.");
  const expires = Number(query.get("X-Amz-Expires"));
  if (!(expires >= 1 && expires <= EXPIRES_MAX)) throw noSense();
  const at = query.get("X-Amz-Date")!;
  return {
    isInQuery: true,
    credential: readCredential(query.get("X-Amz-Credential")!, at),
    at,
    endsAtMs: instantOf(at) + expires * 1_000,
    signedHeaders: query.get("X-Amz-SignedHeaders")!.split(";"),
    token: query.get("X-Amz-Security-Token")!,
    signature: query.get("X-Amz-Signature")!,
  };
}

const AUTHORIZATION = /^AWS4-HMAC-SHA256 Credential=(\S+?), ?SignedHeaders=(\S+?), ?Signature=([0-9a-f]{64})$/;

function fromHeaders(authorization: string, headers: IncomingMessage["headers"]): RequestSignature {
  const [, credential, signedHeaders, signature] = AUTHORIZATION.exec(authorization) ?? [];
  const [at, token] = [headers["x-amz-date"], headers["x-amz-security-token"]];
  if (!credential || !signedHeaders || !signature || typeof at !== "string" || typeof token !== "string")
    throw denied("Only what is signed with temporary credentials is answered.");
  return {
    isInQuery: false,
    credential: readCredential(credential, at),
    at,
    endsAtMs: instantOf(at) + CLOCKS_MS,
    signedHeaders: signedHeaders.split(";"),
    token,
    signature,
  };
}

const noSense = () => new Refusal(400, "InvalidArgument", "The dates make no sense.");

function readCredential(text: string, at: string): { id: string; region: string } {
  const [id = "", day, region = "", service, terminator] = text.split("/");
  if (service !== "s3" || terminator !== "aws4_request") throw denied("The signature is of another kind.");
  if (day !== at.slice(0, 8)) throw noSense();
  return { id, region };
}

function instantOf(at: string): number {
  const ms = Date.parse(at.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:$6Z"));
  if (Number.isNaN(ms)) throw noSense();
  return ms;
}
