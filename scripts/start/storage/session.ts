// R2's temporary credentials, read as R2 reads them: what their session token says they are good for.
// https://developers.cloudflare.com/r2/api/s3/temporary-credentials/

import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import { denied } from "./refusal.ts";

/** The parent's key, and the bucket it is good for. */
export type Storage = { accessKeyId: string; secretAccessKey: string; bucket: string };

const Claims = z.object({
  bucket: z.string(),
  scope: z.enum(["object-read-only", "object-read-write"]).optional(),
  actions: z.array(z.string()).optional(),
  paths: z.object({ prefixPaths: z.array(z.string()), objectPaths: z.array(z.string()) }).optional(),
  iss: z.string(),
  exp: z.number(),
});
export type Claims = z.infer<typeof Claims>;

const READS = [
  "GetObject",
  "HeadObject",
  "ListObjectsV1",
  "ListObjectsV2",
  "ListMultipartUploads",
  "ListParts",
  "GetBucketLocation",
];

/** Throws a Refusal where the token is not of the parent's making, or has ended. */
export function readSession(
  { accessKeyId, secretAccessKey }: Storage,
  token: string,
  now: Date,
): { secret: string; claims: Claims } {
  const jwt = Buffer.from(token, "base64")
    .toString()
    .replace(/^jwt\//, "");
  const [header = "", content = "", signature = ""] = jwt.split(".");
  const expected = createHmac("sha256", secretAccessKey).update(`${header}.${content}`).digest();
  const given = Buffer.from(signature, "base64url");
  if (given.length !== expected.length || !timingSafeEqual(given, expected))
    throw denied("The session token is not valid.");
  const { alg } = JSON.parse(Buffer.from(header, "base64url").toString()) as { alg?: string };
  const claims = Claims.parse(JSON.parse(Buffer.from(content, "base64url").toString()));
  if (alg !== "HS256" || claims.iss !== accessKeyId) throw denied("The session token is not valid.");
  if (claims.exp * 1_000 < now.getTime()) throw denied("The session token has expired.");
  return { secret: createHash("sha256").update(jwt).digest("hex"), claims };
}

/** What a request does to which object. `source`: what a copy reads. */
export type Access = { operation: string; bucket: string; key: string; source?: string | undefined };

/** Scope and actions narrow each other. */
export function permits(claims: Claims, { operation, bucket, key, source }: Access): boolean {
  const { scope, actions, paths } = claims;
  if (bucket !== claims.bucket || (!scope && !actions)) return false;
  if (scope === "object-read-only" && !READS.includes(operation)) return false;
  if (actions && !actions.includes(operation)) return false;
  const isWithin = (path: string): boolean =>
    !paths || paths.objectPaths.includes(path) || paths.prefixPaths.some((prefix) => path.startsWith(prefix));
  return (
    isWithin(key) &&
    (source === undefined || (source.startsWith(`${bucket}/`) && isWithin(source.slice(bucket.length + 1))))
  );
}
