// URLs that let their holder read or write one object, and nothing else, for a while.

import { createHash, createHmac } from "node:crypto";
import { BUCKET_LIMITS } from "./limits.ts";
import { grantObject, type ObjectAction, type Parent, type TemporaryCredentials } from "./temporary-credentials.ts";

export type StorageEnv = Pick<Env, "S3_ENDPOINT" | "BUCKET_NAME" | "S3_ACCESS_KEY_ID" | "S3_SECRET_ACCESS_KEY">;

export const signGet = (env: StorageEnv, key: string): string => sign(env, "GetObject", key);

export const signPut = (env: StorageEnv, key: string): string => sign(env, "PutObject", key);

/**
 * A PUT of one part of an upload in parts. Who holds it may send any part of any upload to this key: no more is known
 * of it.
 */
export const signPart = (env: StorageEnv, key: string, uploadId: string, partNumber: number): string =>
  sign(env, "UploadPart", key, { partNumber: String(partNumber), uploadId });

/**
 * Query-signed, path style; whoever holds it needs no header but Host. A signature says nothing of headers that it does
 * not name, and a store may follow one all the same: `x-amz-copy-source` makes a PUT a copy of any object that the
 * signer may read. So the signer is a credential that may do this one thing with this one object. Each URL has its own.
 */
function sign(env: StorageEnv, action: ObjectAction, key: string, parameters: Record<string, string> = {}): string {
  const endpoint = new URL(env.S3_ENDPOINT);
  const path = `${endpoint.pathname.replace(/\/+$/, "")}/${escapePath(`${env.BUCKET_NAME}/${key}`)}`;
  const now = new Date();
  const credentials = grantObject(parentOf(env), { action, key, now, seconds: BUCKET_LIMITS.signedUrlSeconds });
  const query = presign(credentials, {
    method: action === "GetObject" ? "GET" : "PUT",
    host: endpoint.host,
    path,
    parameters,
    now,
  });
  return `${endpoint.origin}${path}?${query}`;
}

export const parentOf = (env: StorageEnv): Parent => ({
  id: env.S3_ACCESS_KEY_ID,
  secret: env.S3_SECRET_ACCESS_KEY,
  endpoint: new URL(env.S3_ENDPOINT),
  bucket: env.BUCKET_NAME,
});

type Signed = { method: string; host: string; path: string; parameters: Record<string, string>; now: Date };

/**
 * The query of a presigned URL, after Signature Version 4:
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html. Nothing here waits: a call may sign ten
 * thousand.
 */
function presign(
  { id, secret, sessionToken }: TemporaryCredentials,
  { method, host, path, parameters, now }: Signed,
): string {
  const at = now.toISOString().replace(/[:-]|\.\d{3}/g, "");
  const scope = [at.slice(0, 8), "auto", "s3", "aws4_request"];
  const query = canonicalQuery({
    ...parameters,
    "X-Amz-Algorithm": "AWS4-HMAC-SHA256",
    "X-Amz-Credential": [id, ...scope].join("/"),
    "X-Amz-Date": at,
    "X-Amz-Expires": String(BUCKET_LIMITS.signedUrlSeconds),
    "X-Amz-Security-Token": sessionToken,
    "X-Amz-SignedHeaders": "host",
  });
  const request = [method, path, query, `host:${host}\n`, "host", "UNSIGNED-PAYLOAD"].join("\n");
  const text = ["AWS4-HMAC-SHA256", at, scope.join("/"), createHash("sha256").update(request).digest("hex")].join("\n");
  const key = scope.reduce<string | Uint8Array>(
    (signingKey, word) => createHmac("sha256", signingKey).update(word).digest(),
    `AWS4${secret}`,
  );
  return `${query}&X-Amz-Signature=${createHmac("sha256", key).update(text).digest("hex")}`;
}

const canonicalQuery = (parameters: Record<string, string>): string =>
  Object.keys(parameters)
    .sort()
    .map((name) => `${escape(name)}=${escape(parameters[name]!)}`)
    .join("&");

/** Every character that is not unreserved (RFC 3986 §2.3) is escaped, as the signature's canonical form has it. */
const escape = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);

const escapePath = (path: string): string => path.split("/").map(escape).join("/");
