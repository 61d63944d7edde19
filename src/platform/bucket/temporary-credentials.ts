// Credentials for one object and one action, or for reading what lies in a folder. They are made from the storage's own
// without a call.

import { Buffer } from "node:buffer";
import { createHash, createHmac } from "node:crypto";

/** An operation as R2 names it. Copying is not among them: it is `CopyObject` or `UploadPartCopy`. */
export type ObjectAction = "GetObject" | "PutObject" | "UploadPart";

/** The key that an operator made, and where it is good. */
export type Parent = { id: string; secret: string; endpoint: URL; bucket: string };

/** One action with one object, for so many seconds from `now` on. */
export type ObjectPermission = { action: ObjectAction; key: string; now: Date; seconds: number };

export type TemporaryCredentials = { id: string; secret: string; sessionToken: string };

/** Reading all objects whose keys begin with `prefix`, which are not listed, for so many seconds from `now` on. */
export type FolderPermission = { prefix: string; now: Date; seconds: number };

/**
 * R2's temporary credentials, signed here: a JWT under the parent's secret says what they are good for, and their own
 * secret is the JWT's digest. **Whoever sees a URL signed with them can compute that secret**, so the JWT is the bound,
 * and not the URL. https://developers.cloudflare.com/r2/api/s3/temporary-credentials/ and
 * https://developers.cloudflare.com/r2/examples/authenticate-r2-temp-credentials/
 */
export const grantObject = (parent: Parent, { action, key, now, seconds }: ObjectPermission): TemporaryCredentials =>
  grant(
    parent,
    {
      scope: action === "GetObject" ? "object-read-only" : "object-read-write",
      actions: [action],
      paths: { prefixPaths: [], objectPaths: [key] },
    },
    { now, seconds },
  );

/** An empty prefix, or one that ends within a name, would open what lies beside the folder. */
export function grantFolder(parent: Parent, { prefix, now, seconds }: FolderPermission): TemporaryCredentials {
  if (!prefix.endsWith("/")) throw new Error("The prefix is no folder.");
  return grant(
    parent,
    {
      scope: "object-read-only",
      actions: ["GetObject", "HeadObject"],
      paths: { prefixPaths: [prefix], objectPaths: [] },
    },
    { now, seconds },
  );
}

type Permitted = {
  scope: "object-read-only" | "object-read-write";
  actions: readonly (ObjectAction | "HeadObject")[];
  paths: { prefixPaths: string[]; objectPaths: string[] };
};

function grant(
  { id, secret, endpoint, bucket }: Parent,
  permitted: Permitted,
  { now, seconds }: { now: Date; seconds: number },
): TemporaryCredentials {
  const issuedAt = Math.floor(now.getTime() / 1_000);
  const claims = {
    bucket,
    ...permitted,
    // The account, which the endpoint's host begins with.
    sub: endpoint.hostname.split(".")[0],
    iss: id,
    aud: endpoint.host,
    iat: issuedAt,
    exp: issuedAt + seconds,
  };
  const content = `${HEADER}.${base64url(JSON.stringify(claims))}`;
  const jwt = `${content}.${createHmac("sha256", secret).update(content).digest("base64url")}`;
  return {
    id,
    secret: createHash("sha256").update(jwt).digest("hex"),
    sessionToken: Buffer.from(`jwt/${jwt}`).toString("base64"),
  };
}

const base64url = (text: string): string => Buffer.from(text).toString("base64url");

const HEADER = base64url(JSON.stringify({ alg: "HS256", typ: "JWT" }));
