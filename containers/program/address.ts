// The gate between a host name someone typed and a socket: which addresses may be dialled.

import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

const LOOKUP_MS = 5_000;

/** The addresses that may be dialled beside the public internet: nothing, this machine, or private networks too. */
export type HostsAllowed = "" | "loopback" | "private";

/** Why a host is not dialled, in words for people. */
export class HostError extends Error {
  readonly reason: "dns" | "timeout" | "host_forbidden";

  constructor(reason: HostError["reason"], message: string, cause?: unknown) {
    super(message, { cause });
    this.reason = reason;
  }
}

/** The one address that was checked, and the name to send as TLS server name (absent when the host is an address). */
export type Dial = { address: string; servername?: string };

/**
 * Resolves a host and checks **every** address behind it; the caller connects to the returned address and never
 * resolves again, so a name can't change its mind in between.
 * Rejects with a {@link HostError}, or with `signal.reason` when it aborts.
 */
export async function resolveHost(host: string, signal: AbortSignal, allowed: HostsAllowed): Promise<Dial> {
  const name = host.replace(/^\[(.*)\]$/, "$1");
  if (!/^[\w.:-]{1,253}$/.test(name)) throw new HostError("dns", "The host is not a host name or an IP address.");

  const addresses = isIP(name) ? [name] : await lookupAll(name, signal);
  const forbidden = addresses.find((address) => !mayDial(address, allowed));
  if (forbidden !== undefined) {
    throw new HostError(
      "host_forbidden",
      `The host ${name} is not on the public internet, and only public hosts may be connected to.`,
    );
  }
  // IPv4 first: a container may have no IPv6 route, and nothing shows that beforehand.
  const address = addresses.find((candidate) => isIP(candidate) === 4) ?? addresses[0];
  if (address === undefined) throw new HostError("dns", `The host ${name} has no address.`);
  return isIP(name) ? { address } : { address, servername: name };
}

// Services that hand out credentials to whoever asks from inside a cloud. They are outside the link-local range, or
// would be let in by "private", so they are named.
const metadataServices = ["168.63.129.16", "100.100.100.200", "fd00:ec2::254", "fd20:ce::254"].map((address) =>
  ipaddr.parse(address).toString(),
);

const publicIpv6 = ipaddr.IPv6.parseCIDR("2000::/3");

/** Whether an address is public unicast, or of a range that `allowed` lets in. */
export function mayDial(address: string, allowed: HostsAllowed): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (metadataServices.includes(parsed.toString())) return false;
  const range = parsed.range();
  // An IPv4 address wrapped in IPv6 (mapped, NAT64, 6to4, Teredo) has a range of its own and is refused with it.
  if (range === "unicast") return parsed instanceof ipaddr.IPv4 || parsed.match(publicIpv6);
  if (range === "loopback") return allowed !== "";
  return (range === "private" || range === "uniqueLocal") && allowed === "private";
}

async function lookupAll(name: string, signal: AbortSignal): Promise<string[]> {
  signal.throwIfAborted();
  const tooLate = new HostError("timeout", `Looking up the host ${name} took longer than ${LOOKUP_MS / 1000} s.`);
  const { promise: stopped, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(tooLate), LOOKUP_MS);
  const abort = () => reject(signal.reason as Error);
  signal.addEventListener("abort", abort, { once: true });
  try {
    const found = await Promise.race([lookup(name, { all: true }), stopped]);
    return found.map(({ address }) => address);
  } catch (error) {
    if (signal.aborted || error === tooLate) throw error;
    throw new HostError("dns", `The host ${name} can't be found in the DNS.`, error);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", abort);
  }
}
