// An emulator may stand in for a vendor's service on a developer's machine, and only if it runs on this machine.

import { isIP } from "node:net";
import { mayDial } from "../../program/address.ts";
import { hostsAllowed } from "./resolve-source-host.ts";

/** The services that have no address in a source's credentials. */
export type EmulatedService = "bigquery" | "snowflake";

const VARIABLES = { bigquery: "ENGINE_BIGQUERY_EMULATOR", snowflake: "ENGINE_SNOWFLAKE_EMULATOR" } as const;

/**
 * The emulator's address, such as `http://127.0.0.1:9050`; undefined where the installation names none. Throws an Error
 * for people where it is no loopback address, or the installation lets nothing on this machine be dialled.
 */
export function emulatorOf(service: EmulatedService, environment: NodeJS.ProcessEnv = process.env): URL | undefined {
  const name = VARIABLES[service];
  const value = environment[name];
  if (value === undefined || value === "") return undefined;
  if (hostsAllowed(environment) !== "loopback")
    throw new Error(`${name} is for development: it needs HOSTS_ALLOWED to be "loopback".`);
  const url = URL.canParse(value) ? new URL(value) : undefined;
  const host = url?.hostname.replace(/^\[(.*)\]$/, "$1") ?? "";
  const isPlain = url && /^https?:$/.test(url.protocol) && url.origin === value.replace(/\/$/, "");
  if (!isPlain || isIP(host) === 0 || mayDial(host, "") || !mayDial(host, "loopback"))
    throw new Error(`${name} is not a loopback address such as http://127.0.0.1:9050.`);
  return url;
}
