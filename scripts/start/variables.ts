// The Worker's variables and secrets on this machine; `src/env.d.ts` says what each is.

import { defaultCacheDirectory } from "../../containers/sandbox/core/settings.ts";
import type { Settings } from "./settings.ts";
import type { State } from "./state.ts";

/** The names that `wrangler.toml` gives. */
export const STORAGE = {
  bucket: "fjord",
  path: "/cdn-cgi/local/r2/s3",
  accessKeyId: "local",
  secretAccessKey: "local-only",
};

/** A container sees this machine under another name than its own loopback. */
const DOCKER_HOST = "host.docker.internal";

export function variablesFor(
  settings: Settings,
  state: State,
  supervisor: { url: string; token: string },
  storage: { url: string },
): Record<string, string> {
  const local = {
    ...state.secrets,
    ...{ S3_ENDPOINT: storage.url, HOSTS_ALLOWED: "loopback", WEAK_JAIL_ALLOWED: "yes" },
    // Each engine of a team is a process on this machine.
    ENGINE_MACHINE_SHARES: settings.variables["ENGINES_PER_TEAM"] ?? "",
    // Nothing leaves this machine: mail is kept for its operator to read.
    ...{ MAIL_FROM: "Fjord <fjord@localhost>", MAIL_OUTBOX: "yes" },
  };
  const containers = settings.containers
    ? { PLATFORM_URL: `http://${DOCKER_HOST}:${settings.port}`, S3_DIAL: `${DOCKER_HOST}:${new URL(storage.url).port}` }
    : {
        PLATFORM_URL: settings.url,
        SUPERVISOR_URL: supervisor.url,
        SUPERVISOR_TOKEN: supervisor.token,
        SANDBOX_CACHE_DIR: defaultCacheDirectory(),
      };
  return { ...local, ...containers, ...settings.variables };
}
