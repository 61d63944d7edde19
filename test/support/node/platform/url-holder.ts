// The holder of a signed URL can do more than send it: the secret of its credentials is the digest of the token within.

import { createHash } from "node:crypto";
import { AwsClient } from "aws4fetch";

export type Wish = {
  method: string;
  path?: string;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  secondsAgo?: number;
};

/**
 * Another URL at the same endpoint, signed with the credentials that `url` was signed with. `path` begins with the
 * bucket.
 */
export async function signAsHolder(
  url: string,
  { method, path, query = {}, headers = {}, secondsAgo = 0 }: Wish,
): Promise<string> {
  const known = new URL(url);
  const sessionToken = known.searchParams.get("X-Amz-Security-Token")!;
  const jwt = Buffer.from(sessionToken, "base64")
    .toString()
    .replace(/^jwt\//, "");
  const accessKeyId = known.searchParams.get("X-Amz-Credential")!.split("/")[0]!;
  const client = new AwsClient({
    accessKeyId,
    secretAccessKey: createHash("sha256").update(jwt).digest("hex"),
    sessionToken,
    service: "s3",
    region: "auto",
  });
  const wanted = new URL(path ?? known.pathname, known.origin);
  for (const [name, value] of Object.entries({ "X-Amz-Expires": "3600", ...query }))
    wanted.searchParams.set(name, value);
  const datetime = new Date(Date.now() - secondsAgo * 1_000).toISOString().replace(/[:-]|\.\d{3}/g, "");
  return (await client.sign(wanted, { method, headers, aws: { signQuery: true, datetime } })).url;
}
