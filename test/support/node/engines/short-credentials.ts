// A proxy in front of the catalog that makes storage credentials anew for a few seconds instead of an hour, so that a
// test sees what a client does once its credential has ended. All else of an answer passes as it is.

import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { grantFolder } from "../../../../src/platform/bucket/temporary-credentials.ts";

/** What of the installation makes credentials. */
export type ParentKey = { id: string; secret: string };

export type ShortCredentials = {
  url: string;
  /** How many credentials it has made. */
  made(): number;
  /** When the newest credential ends. */
  endsAtMs(): number;
  close(): void;
};

type Properties = Record<string, string>;
type Credential = { config: Properties };
type Body = { config?: Properties; "storage-credentials"?: Credential[] };
type Claims = { bucket: string; paths: { prefixPaths: [string] } };

const ENDPOINT = "client.refresh-credentials-endpoint";

export async function startShortCredentials(
  target: string,
  parent: ParentKey,
  seconds: number,
): Promise<ShortCredentials> {
  let [made, endsAtMs] = [0, 0];
  let url = "";
  const server = createServer((request, response) => {
    void pass(request).then(
      ({ status, headers, body }) =>
        response.writeHead(status, headers).end(request.method === "HEAD" ? undefined : body),
      () => response.destroy(),
    );
  });

  async function pass(request: IncomingMessage) {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { host: _, connection: __, ...asked } = request.headers;
    const answer = await fetch(`${target}${request.url}`, {
      method: request.method!,
      headers: asked as Record<string, string>,
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    });
    const {
      "content-encoding": ___,
      "content-length": ____,
      "transfer-encoding": _____,
      ...headers
    } = Object.fromEntries(answer.headers);
    const text = await answer.text();
    const body = answer.ok && text !== "" ? JSON.stringify(shorten(JSON.parse(text) as Body)) : text;
    return { status: answer.status, headers, body };
  }

  function shorten(body: Body): Body {
    const config = body.config && {
      ...anew(body.config),
      ...(body.config[ENDPOINT] && { [ENDPOINT]: body.config[ENDPOINT].replace(target, url) }),
    };
    const credentials = body["storage-credentials"]?.map((each) => ({ ...each, config: anew(each.config) }));
    return { ...body, ...(config && { config }), ...(credentials && { "storage-credentials": credentials }) };
  }

  /** Properties with a new credential for the folder that they name. */
  function anew(config: Properties): Properties {
    const token = config["s3.session-token"];
    if (token === undefined) return config;
    const now = new Date();
    const { bucket, paths } = claimsOf(token);
    const endpoint = new URL(config["s3.endpoint"]!);
    const { id, secret, sessionToken } = grantFolder(
      { ...parent, endpoint, bucket },
      { prefix: paths.prefixPaths[0], now, seconds },
    );
    made++;
    endsAtMs = (Math.floor(now.getTime() / 1_000) + seconds) * 1_000;
    return {
      ...config,
      "s3.access-key-id": id,
      "s3.secret-access-key": secret,
      "s3.session-token": sessionToken,
      "s3.session-token-expires-at-ms": String(endsAtMs),
    };
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    made: () => made,
    endsAtMs: () => endsAtMs,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** What a session token says that it is good for. */
export const claimsOf = (
  sessionToken: string,
): Claims & { iat: number; exp: number; scope: string; actions: string[] } => {
  const jwt = Buffer.from(sessionToken, "base64")
    .toString()
    .replace(/^jwt\//, "");
  return JSON.parse(Buffer.from(jwt.split(".")[1]!, "base64url").toString());
};
