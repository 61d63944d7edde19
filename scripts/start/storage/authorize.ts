// A presigned request is authorised by its signature, its credentials, and what these are good for.

import { timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { AwsV4Signer } from "aws4fetch";
import { operationOf, sourceOf } from "./operation.ts";
import { denied, Refusal } from "./refusal.ts";
import { permits, readSession, type Storage } from "./session.ts";

export type { Storage } from "./session.ts";

/**
 * `path` begins with the bucket; `parameters` are what the query says besides its signature, with the question mark.
 */
export type Authorized = { path: string; parameters: string };

const SIGNING = [
  "X-Amz-Algorithm",
  "X-Amz-Credential",
  "X-Amz-Date",
  "X-Amz-Expires",
  "X-Amz-Security-Token",
  "X-Amz-SignedHeaders",
  "X-Amz-Signature",
];
const EXPIRES_MAX = 604_800;

/**
 * Throws a Refusal for whatever is not signed as Signature Version 4 says, with temporary credentials that are good for
 * it.
 */
export async function authorize(
  storage: Storage,
  request: Pick<IncomingMessage, "method" | "url" | "headers">,
  now = new Date(),
): Promise<Authorized> {
  const { method = "GET", headers } = request;
  const url = parseUrl(request);
  const query = readQuery(url);
  const { credential, at, signedHeaders } = checkDates(query, now);
  const unsigned = Object.keys(headers).filter((name) => name.startsWith("x-amz-") && !signedHeaders.includes(name));
  if (unsigned.length > 0)
    throw denied(`There were headers present in the request which were not signed: ${unsigned.join(", ")}`);

  const token = query.get("X-Amz-Security-Token")!;
  const { secret, claims } = readSession(storage, token, now);
  const signer = new AwsV4Signer({
    method,
    url: withoutSignature(url),
    headers: Object.fromEntries(
      signedHeaders.filter((name) => name !== "host").map((name) => [name, String(headers[name] ?? "")]),
    ),
    accessKeyId: storage.accessKeyId,
    secretAccessKey: secret,
    sessionToken: token,
    service: "s3",
    region: credential.region,
    datetime: at,
    signQuery: true,
    allHeaders: true,
  });
  const given = query.get("X-Amz-Signature")!;
  if (credential.id !== storage.accessKeyId || !isSame(await signer.signature(), given))
    throw new Refusal(403, "SignatureDoesNotMatch", "The request signature does not match.");

  const [bucket = "", ...segments] = url.pathname.slice(1).split("/").map(decodeURIComponent);
  const operation = operationOf(method, segments.join("/"), url.searchParams, headers);
  if (!permits(claims, { operation, bucket, key: segments.join("/"), source: sourceOf(headers) }))
    throw denied(`These credentials are not good for ${operation} here.`);
  const parameters = new URLSearchParams([...url.searchParams].filter(([name]) => !SIGNING.includes(name)));
  return { path: url.pathname, parameters: parameters.size > 0 ? `?${parameters.toString()}` : "" };
}

/** What would be folded together, or can't be read, is not what was signed. */
function parseUrl({ url: target = "", headers }: Pick<IncomingMessage, "url" | "headers">): URL {
  try {
    const url = new URL(`http://${headers.host ?? ""}${target}`);
    decodeURIComponent(url.pathname);
    if (url.pathname === target.split("?")[0]) return url;
  } catch {
    // Not a URL.
  }
  throw new Refusal(400, "InvalidURI", "The path can't be read.");
}

/** A signature covers the first of two parameters of one name, and who serves it may take the other. */
function readQuery({ searchParams }: URL): URLSearchParams {
  const names = [...searchParams.keys()];
  if (new Set(names).size !== names.length) throw new Refusal(400, "InvalidArgument", "A parameter comes twice.");
  if (!SIGNING.every((name) => searchParams.get(name)))
    throw denied("Only URLs that are signed with temporary credentials are answered.");
  return searchParams;
}

function checkDates(query: URLSearchParams, now: Date) {
  const [id = "", day, region = "", service, terminator] = query.get("X-Amz-Credential")!.split("/");
  const at = query.get("X-Amz-Date")!;
  const signedAtMs = Date.parse(at.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:$6Z"));
  const expires = Number(query.get("X-Amz-Expires"));
  if (query.get("X-Amz-Algorithm") !== "AWS4-HMAC-SHA256" || service !== "s3" || terminator !== "aws4_request")
    throw denied("The signature is of another kind.");
  if (Number.isNaN(signedAtMs) || day !== at.slice(0, 8) || !(expires >= 1 && expires <= EXPIRES_MAX))
    throw new Refusal(400, "InvalidArgument", "The dates make no sense.");
  if (now.getTime() > signedAtMs + expires * 1_000) throw new Refusal(403, "ExpiredRequest", "Request has expired.");
  const signedHeaders = query.get("X-Amz-SignedHeaders")!.split(";");
  if (!signedHeaders.includes("host")) throw denied("The host is not signed.");
  return { credential: { id, region }, at, signedHeaders };
}

function withoutSignature(url: URL): string {
  const bare = new URL(url);
  bare.searchParams.delete("X-Amz-Signature");
  return bare.href;
}

const isSame = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
