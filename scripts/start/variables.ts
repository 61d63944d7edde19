// The Worker's variables and secrets on this machine; `src/env.d.ts` says what each is.

import type { Settings } from "./settings.ts";
import type { State } from "./state.ts";

/** A container sees this machine under another name than its own loopback. */
const dockerHost = "host.docker.internal";

export function variablesFor(settings: Settings, state: State, supervisor: { url: string; token: string }): Record<string, string> {
  const local = {
    ...state.secrets,
    S3_ENDPOINT: `${settings.url}/cdn-cgi/local/r2/s3`,
    // The credentials that wrangler.toml gives wrangler's own S3 endpoint.
    S3_ACCESS_KEY_ID: "local",
    S3_SECRET_ACCESS_KEY: "local-only",
    HOSTS_ALLOWED: "loopback",
    WEAK_JAIL_ALLOWED: "yes",
  };
  const containers = settings.containers
    ? { PLATFORM_URL: `http://${dockerHost}:${settings.port}`, S3_DIAL: `${dockerHost}:${settings.port}` }
    : { PLATFORM_URL: settings.url, SUPERVISOR_URL: supervisor.url, SUPERVISOR_TOKEN: supervisor.token };
  return { ...local, ...containers, ...settings.variables };
}
