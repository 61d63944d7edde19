// The deployment's settings that verbs ask for, checked when they are first asked for.

import { hostWithPort } from "../core/public-url.ts";

export type Settings = {
  /** Mints the first operator. Empty: nobody may. */
  readonly bootstrapSecret: string;
  /** How long a sync waits before its second attempt. */
  readonly syncRetryMs: number;
  /** Whether what a team names may be this machine itself: for development. */
  readonly isLoopbackAllowed: boolean;
  /** Where the platform answers, without a slash at the end. */
  readonly platformUrl: string;
  /** Where the platform answers, as `hostWithPort` spells it. */
  readonly ownHosts: string[];
  /** Cloudflare Access, where the platform is behind it. */
  readonly access: AccessSettings | undefined;
};

/** `issuer` is its origin; `audience` the tag of the application that stands for this platform. */
export type AccessSettings = { issuer: string; audience: string };

type SettingsEnv = Pick<
  Env,
  "BOOTSTRAP_SECRET" | "SYNC_RETRY_SECONDS" | "HOSTS_ALLOWED" | "PLATFORM_URL" | "ACCESS_TEAM_DOMAIN" | "ACCESS_AUD"
>;

export const openSettings = (env: SettingsEnv): Settings => ({
  get isLoopbackAllowed() {
    return env.HOSTS_ALLOWED === "loopback" || env.HOSTS_ALLOWED === "private";
  },
  get platformUrl() {
    return env.PLATFORM_URL.replace(/\/+$/, "");
  },
  get ownHosts() {
    if (!URL.canParse(env.PLATFORM_URL)) return [];
    const url = new URL(env.PLATFORM_URL);
    const own = [hostWithPort(url)];
    // Containers may know this machine by another name than its own.
    if (this.isLoopbackAllowed) own.push(hostWithPort(new URL(`http://localhost:${url.port || 80}`)));
    return [...new Set(own)];
  },
  get access() {
    const { ACCESS_TEAM_DOMAIN: domain, ACCESS_AUD: audience } = env;
    if (!domain && !audience) return undefined;
    const url = domain.includes("://") ? domain : `https://${domain}`;
    if (!domain || !audience || !URL.canParse(url) || new URL(url).origin !== url.replace(/\/$/, ""))
      throw new Error(
        "ACCESS_TEAM_DOMAIN and ACCESS_AUD go together: a host such as acme.cloudflareaccess.com, and a tag.",
      );
    return { issuer: new URL(url).origin, audience };
  },
  get bootstrapSecret() {
    return env.BOOTSTRAP_SECRET;
  },
  get syncRetryMs() {
    const seconds = Number(env.SYNC_RETRY_SECONDS);
    if (!(seconds > 0))
      throw new Error(`SYNC_RETRY_SECONDS is "${env.SYNC_RETRY_SECONDS}", which is no number of seconds.`);
    return seconds * 1_000;
  },
});
