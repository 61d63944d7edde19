// The texts of a DNS name, by DNS over HTTPS (RFC 8484, in its JSON form): a Worker has no resolver of its own.

import { isObject } from "../../../kernel/text/is-object.ts";
import { isLoopback } from "../../core/public-url.ts";
import { readBounded } from "./read-bounded.ts";

export type DnsEnv = Pick<Env, "DNS_URL" | "HOSTS_ALLOWED">;

/** The texts, each joined of its parts; none where the name has none. Undefined where no resolver answers. */
export type FindTexts = (name: string) => Promise<string[] | undefined>;

const DNS_URL = "https://cloudflare-dns.com/dns-query";
const ANSWER_MS = 5_000;
const ANSWER_BYTES_MAX = 64 * 1024;
const TEXT_TYPE = 16;
/** A text is one or more parts in quotes. */
const PART = /"((?:[^"\\]|\\.)*)"/g;

export const openDns = (env: DnsEnv): FindTexts => {
  return async (name) => {
    const query = new URLSearchParams({ name, type: "TXT" });
    try {
      const response = await fetch(`${dnsUrlOf(env)}?${query}`, {
        headers: { accept: "application/dns-json" },
        redirect: "manual",
        signal: AbortSignal.timeout(ANSWER_MS),
      });
      const text = response.ok ? await (await readBounded(response, ANSWER_BYTES_MAX))?.text() : undefined;
      return text === undefined ? undefined : textsOf(JSON.parse(text));
    } catch (error) {
      console.error(JSON.stringify({ event: "dns_unanswered", name, cause: String(error) }));
      return undefined;
    }
  };
};

/** Another address than the resolver's is this machine, and only where development allows it. */
function dnsUrlOf({ DNS_URL: url, HOSTS_ALLOWED: allowed }: DnsEnv): string {
  if (!url) return DNS_URL;
  if (allowed === "" || !URL.canParse(url) || !isLoopback(new URL(url)))
    throw new Error("DNS_URL is for development: it names this machine, and HOSTS_ALLOWED has to allow that.");
  return url;
}

/** Status 0 is an answer, and 3 says that the name is not there. */
function textsOf(answer: unknown): string[] | undefined {
  if (!isObject(answer) || (answer["Status"] !== 0 && answer["Status"] !== 3)) return undefined;
  const records = Array.isArray(answer["Answer"]) ? (answer["Answer"] as unknown[]) : [];
  return records.flatMap((record) =>
    isObject(record) && record["type"] === TEXT_TYPE ? [textOf(String(record["data"]))] : [],
  );
}

const textOf = (data: string): string => {
  const parts = [...data.matchAll(PART)].map(([, part]) => part!.replaceAll(/\\(.)/g, "$1"));
  return parts.length > 0 ? parts.join("") : data;
};
