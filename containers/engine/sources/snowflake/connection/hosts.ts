// The engine dials these addresses for Snowflake: the account's own, and the stores of the clouds that results lie in.

import { isIP } from "node:net";
import { mayDial } from "../../../../program/address.ts";
import { Failure } from "../../../core/failure.ts";

/** Snowflake's service as one account has it, and whether an emulator on this machine stands in for it. */
export type Service = { origin: string; isEmulated: boolean };

/**
 * Where results may lie, as Snowflake's list of hosts to allow has them: a bucket of S3, a container of Azure, a bucket
 * of Google Cloud, or Snowflake itself.
 */
const STORES = [
  /^[a-z0-9][a-z0-9.-]*\.s3(?:[.-][a-z0-9-]+)*\.amazonaws\.com(?:\.cn)?$/,
  /^s3(?:[.-][a-z0-9-]+)*\.amazonaws\.com(?:\.cn)?$/,
  /^[a-z0-9-]+(?:\.z\d+)?\.blob\.(?:core\.windows\.net|storage\.azure\.net|core\.chinacloudapi\.cn|core\.usgovcloudapi\.net)$/,
  /^(?:[a-z0-9][a-z0-9_-]*\.)?storage\.googleapis\.com$/,
  /^[a-z0-9-]+(?:\.[a-z0-9-]+)*\.snowflakecomputing\.(?:com|cn)$/,
];

/** An address that the service's session may be told to. Throws `connection_failed` for any other. */
export function serviceUrl(service: Service, address: string): URL {
  const url = readUrl(address);
  if (url?.origin !== service.origin) throw forbidden("The service names an address that is not its own.");
  return url;
}

/** Where a part of a result lies. Throws `connection_failed` where it is nowhere that Snowflake keeps results. */
export function storeUrl(service: Service, address: unknown): URL {
  const url = typeof address === "string" ? readUrl(address) : undefined;
  if (!url || !(isStore(url) || (service.isEmulated && isLoopback(url))))
    throw forbidden("A part of the result lies at an address where Snowflake keeps no results; it was not read.");
  return url;
}

const isStore = ({ protocol, port, hostname }: URL): boolean =>
  protocol === "https:" && port === "" && STORES.some((pattern) => pattern.test(hostname));

function isLoopback({ protocol, hostname }: URL): boolean {
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  return /^https?:$/.test(protocol) && isIP(host) !== 0 && !mayDial(host, "") && mayDial(host, "loopback");
}

function readUrl(address: string): URL | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  return url && url.username === "" && url.password === "" ? url : undefined;
}

const forbidden = (message: string): Failure => new Failure("connection_failed", message, { reason: "host_forbidden" });
