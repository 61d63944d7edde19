// The network address of a caller, by which tries are bounded.

/** The part of an IPv6 address that one holder has is its first half. */
const IPV6_GROUPS = 4;

/**
 * The network address that Cloudflare names, of IPv6 its network; empty where nobody names one, as on a developer's
 * machine.
 */
export function callerAddressOf({ headers }: Pick<Request, "headers">): string {
  const address = headers.get("cf-connecting-ip") ?? "";
  if (!address.includes(":")) return address;
  const [start = "", end] = address.split("::");
  const groups = start.split(":").filter((group) => group !== "");
  const last = (end ?? "").split(":").filter((group) => group !== "");
  const zeros = end === undefined ? [] : Array<string>(Math.max(0, 8 - groups.length - last.length)).fill("0");
  return [...groups, ...zeros, ...last].slice(0, IPV6_GROUPS).join(":");
}
