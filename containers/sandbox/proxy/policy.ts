// The proxy's policy decides where a run's requests may go. It dials nothing.

export type Policy = { teamId: string; internet: boolean };
export type Endpoints = {
  platformUrl: string;
  /** The host that the object store's signed URLs point to; empty where there is none. */
  s3Endpoint: string;
  /** `host:port` to dial for the object store instead of its own. */
  s3Dial: string;
};

/**
 * `dial`: this address, unchecked, for it is configured. `resolve`: a name someone wrote, to be looked up and checked.
 */
export type Route =
  | { dial: { host: string; port: number } }
  | { resolve: { host: string; port: number } }
  | { refused: string };

/** The API's own paths; what else the platform's address serves is not for code of teams. */
const PUBLIC_PATH = /^\/(v\d+\/.*|health|openapi\.json)?$/;

const NO_INTERNET =
  "this team's runs reach the platform's API alone; an admin opens the internet by the team's setting sandbox_internet";

/** The route of a request in the clear, whose URL and headers are seen. */
export function routeOf(url: URL, headerNames: readonly string[], places: Endpoints, policy: Policy): Route {
  if (url.protocol !== "http:") return { refused: "only http: URLs can be asked for without CONNECT" };
  const platform = new URL(places.platformUrl);
  const store = places.s3Endpoint === "" ? undefined : new URL(places.s3Endpoint);
  if (store && url.origin === store.origin && isSignedDriveUrl(url, store, policy.teamId)) {
    const unsigned = unsignedIn(url, headerNames);
    if (unsigned.length > 0) return { refused: `the URL does not sign ${unsigned.join(", ")}: send it without` };
    return { dial: dialOf(places.s3Dial) ?? addressOf(store) };
  }
  if (url.origin === platform.origin)
    return PUBLIC_PATH.test(url.pathname)
      ? { dial: addressOf(platform) }
      : { refused: "this path is not part of the platform's API" };
  if (store && url.origin === store.origin)
    return { refused: "of the object store only signed URLs of the team's drive can be reached" };
  return policy.internet ? { resolve: addressOf(url) } : { refused: NO_INTERNET };
}

/**
 * The route of a tunnel, of which only the host is seen: TLS to the platform and to the object store, whose signatures
 * guard it.
 */
export function routeOfTunnel(authority: string, places: Endpoints, policy: Policy): Route {
  const match = /^(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]{1,253}):(\d{1,5})$/.exec(authority);
  const port = Number(match?.[2]);
  if (!match || port < 1 || port > 65_535) return { refused: "CONNECT wants host:port" };
  const host = match[1]!.toLowerCase();
  for (const [place, dial] of [
    [places.platformUrl, ""],
    [places.s3Endpoint, places.s3Dial],
  ] as const) {
    if (place === "") continue;
    const url = new URL(place);
    const own = addressOf(url);
    if (host !== own.host || port !== own.port) continue;
    return url.protocol === "https:"
      ? { dial: dialOf(dial) ?? own }
      : { refused: "this address speaks plain HTTP; ask it without CONNECT" };
  }
  return policy.internet ? { resolve: { host, port } } : { refused: NO_INTERNET };
}

/**
 * Signatures are made with credentials that code could know on a development machine; so the path is looked at as well.
 */
function isSignedDriveUrl(url: URL, store: URL, teamId: string): boolean {
  const base = store.pathname.replace(/\/$/, "");
  const [bucket, ...key] = url.pathname.startsWith(`${base}/`) ? url.pathname.slice(base.length + 1).split("/") : [];
  return (
    bucket !== undefined &&
    bucket !== "" &&
    key[0] === teamId &&
    key[1] === "drive" &&
    key.length > 2 &&
    url.searchParams.has("X-Amz-Signature")
  );
}

/** Headers that a store might act on though they are not signed, such as the name of an object to copy from. */
function unsignedIn(url: URL, headerNames: readonly string[]): string[] {
  const signed = (url.searchParams.get("X-Amz-SignedHeaders") ?? "").split(";");
  return headerNames.filter((name) => name.startsWith("x-amz-") && !signed.includes(name));
}

const addressOf = (url: URL) => ({
  host: url.hostname,
  port: Number(url.port || (url.protocol === "https:" ? 443 : 80)),
});

function dialOf(dial: string): { host: string; port: number } | undefined {
  const match = /^(.*):(\d+)$/.exec(dial);
  return match ? { host: match[1]!, port: Number(match[2]) } : undefined;
}
