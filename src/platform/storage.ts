// URLs that let their holder read or write one object, and nothing else, for a while.

import { AwsClient } from "aws4fetch";
import { LIMITS } from "../core/limits.ts";

type StorageEnv = Pick<Env, "S3_ENDPOINT" | "BUCKET_NAME" | "S3_ACCESS_KEY_ID" | "S3_SECRET_ACCESS_KEY">;

export const signGet = (env: StorageEnv, key: string): Promise<string> => sign(env, "GET", key);

export const signPut = (env: StorageEnv, key: string): Promise<string> => sign(env, "PUT", key);

/** A PUT of one part of an upload in parts. */
export const signPart = (env: StorageEnv, key: string, uploadId: string, partNumber: number): Promise<string> =>
  sign(env, "PUT", key, { partNumber: String(partNumber), uploadId });

/** Query-signed, path style. The URL names the whole of what it allows; whoever holds it needs no header but Host. */
async function sign(env: StorageEnv, method: "GET" | "PUT", key: string, parameters: Record<string, string> = {}): Promise<string> {
  const url = new URL(`${env.S3_ENDPOINT.replace(/\/+$/, "")}/${escapeKey(env.BUCKET_NAME)}/${escapeKey(key)}`);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  url.searchParams.set("X-Amz-Expires", String(LIMITS.signedUrlSeconds));
  const signed = await clientOf(env).sign(url, { method, aws: { signQuery: true } });
  return signed.url;
}

/** Every character that is not unreserved (RFC 3986 §2.3) is escaped, as the signature's canonical form has it. */
const escapeKey = (key: string): string =>
  key
    .split("/")
    .map((segment) => encodeURIComponent(segment).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`))
    .join("/");

let client: AwsClient | undefined;

/** One client an isolate: it remembers the signing key of the day, which is most of the work. */
function clientOf({ S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey }: StorageEnv): AwsClient {
  if (client?.accessKeyId !== accessKeyId || client.secretAccessKey !== secretAccessKey) {
    client = new AwsClient({ accessKeyId, secretAccessKey, service: "s3", region: "auto" });
  }
  return client;
}
