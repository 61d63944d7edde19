// A database's host, resolved to an address that this installation lets the engine dial.

import { HostError, resolveHost, type Dial, type HostsAllowed } from "../../program/address.ts";
import { Failure } from "../core/failure.ts";

/**
 * Rejects with `connection_failed`, reason `dns`, `timeout` or `host_forbidden`; with `signal.reason` when it aborts.
 */
export async function resolveSourceHost(host: string, signal: AbortSignal): Promise<Dial> {
  try {
    return await resolveHost(host, signal, hostsAllowed());
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    throw new Failure("connection_failed", error.message, { reason: error.reason, cause: error.cause });
  }
}

/** Hosts that the variable does not list are refused. */
export function hostsAllowed(environment: NodeJS.ProcessEnv = process.env): HostsAllowed {
  const value = environment.HOSTS_ALLOWED;
  return value === "loopback" || value === "private" ? value : "";
}
