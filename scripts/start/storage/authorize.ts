// A request is authorised by its signature, its credentials, and what these are good for.

import { timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { AwsV4Signer } from "aws4fetch";
import { operationOf, sourceOf } from "./operation.ts";
import { denied, Refusal } from "./refusal.ts";
import { isOfSignature, readSignature } from "./signature.ts";
import { permits, readSession, type Storage } from "./session.ts";

export type { Storage } from "./session.ts";

/**
 * `path` begins with the bucket; `parameters` are what the query says besides its signature, with the question mark.
 */
export type Authorized = { path: string; parameters: string };

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
  checkQuery(url);
  const signed = readSignature(request, url.searchParams);
  const { credential, at, signedHeaders, token } = signed;
  if (now.getTime() > signed.endsAtMs) throw new Refusal(403, "ExpiredRequest", "Request has expired.");
  if (!signedHeaders.includes("host")) throw denied("The host is not signed.");
  const unsigned = Object.keys(headers).filter((name) => name.startsWith("x-amz-") && !signedHeaders.includes(name));
  if (unsigned.length > 0)
    throw denied(`There were headers present in the request which were not signed: ${unsigned.join(", ")}`);

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
    signQuery: signed.isInQuery,
    allHeaders: true,
  });
  if (credential.id !== storage.accessKeyId || !isSame(await signer.signature(), signed.signature))
    throw new Refusal(403, "SignatureDoesNotMatch", "The request signature does not match.");

  const [bucket = "", ...segments] = url.pathname.slice(1).split("/").map(decodeURIComponent);
  const operation = operationOf(method, segments.join("/"), url.searchParams, headers);
  if (!permits(claims, { operation, bucket, key: segments.join("/"), source: sourceOf(headers) }))
    throw denied(`These credentials are not good for ${operation} here.`);
  const parameters = new URLSearchParams([...url.searchParams].filter(([name]) => !isOfSignature(name)));
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
function checkQuery({ searchParams }: URL): void {
  const names = [...searchParams.keys()];
  if (new Set(names).size !== names.length) throw new Refusal(400, "InvalidArgument", "A parameter comes twice.");
}

function withoutSignature(url: URL): string {
  const bare = new URL(url);
  bare.searchParams.delete("X-Amz-Signature");
  return bare.href;
}

const isSame = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
