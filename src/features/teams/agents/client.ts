// A client is known by the address of a document about itself, which its maker keeps (OAuth's Client ID Metadata
// Document). Nobody registers one here.

import { z } from "zod";
import { ExpiringCache } from "../../../core/expiring-cache.ts";
import { invalidAt, type Problem } from "../../../core/problem.ts";
import { isLoopback } from "../../../core/public-url.ts";
import { TEAM_LIMITS } from "../limits.ts";
import { oneLine } from "../../../core/text/one-line.ts";
import type { Needs } from "../../../clients/context.ts";
import { requireTry } from "../sign-in/tries/require-try.ts";

const { agentClientsKeptMax, agentClientKeptMs, agentClientBytesMax, agentClientAnswerMs } = TEAM_LIMITS;

export type AgentClient = { id: string; name: string; host: string; redirectUris: readonly string[] };

/** Members that are not named here are left out: a logo is a page's to show, and nobody asks for it. */
const ClientDocument = z.object({
  client_id: z.string(),
  client_name: z.string().max(500).optional(),
  redirect_uris: z.array(z.string().max(2_000)).min(1).max(50),
  token_endpoint_auth_method: z.literal("none").default("none"),
  grant_types: z.array(z.string()).default(["authorization_code"]),
});

const known = new ExpiringCache<AgentClient>(agentClientsKeptMax);

/** Throws 422 for an address that is none of a client's, or whose document says so; the person is told why. */
export async function readClient(ctx: Needs<"db" | "scope" | "fetchPublic">, clientId: string): Promise<AgentClient> {
  const { scope } = ctx;
  const found = known.get(clientId, scope.now);
  if (found) return found;
  const url = URL.canParse(clientId) ? new URL(clientId) : undefined;
  if (!url || url.href !== clientId || url.pathname === "/" || !(url.protocol === "https:" || isLoopback(url)))
    throw unknownClient("It is the whole https address of a document, spelled as browsers spell it.");
  await requireTry(ctx, {
    kind: "client for",
    of: scope.userId,
    spanMs: TEAM_LIMITS.agentClientTryMs,
    triesMax: TEAM_LIMITS.agentClientTriesMax,
    now: scope.now,
  });
  const keep = known.reading();
  const client = clientOf(url, await readDocument(ctx, url));
  keep(clientId, client, scope.now.getTime() + agentClientKeptMs);
  return client;
}

async function readDocument({ fetchPublic }: Needs<"fetchPublic">, url: URL): Promise<unknown> {
  try {
    const response = await fetchPublic(url.href, {
      method: "GET",
      headers: { accept: "application/json" },
      bounds: { answerMs: agentClientAnswerMs, bytesMax: agentClientBytesMax },
    });
    if (!response.ok) throw new Error(`It answers ${response.status}.`);
    return await response.json();
  } catch (cause) {
    console.error(JSON.stringify({ event: "agent_client_unread", host: url.host, cause: String(cause) }));
    throw unknownClient("No document could be read there.");
  }
}

function clientOf(url: URL, document: unknown): AgentClient {
  const read = ClientDocument.safeParse(document);
  if (!read.success) throw unknownClient("The document there describes no client that needs no secret.");
  const { client_id: id, client_name: name = url.host, redirect_uris: redirectUris, grant_types: grants } = read.data;
  if (id !== url.href) throw unknownClient("The document there is about another client.");
  if (!grants.includes("authorization_code")) throw unknownClient("The client there asks nobody.");
  return { id, name: oneLine(name, TEAM_LIMITS.agentNameCharactersMax) || url.host, host: url.host, redirectUris };
}

/** Whether the client has listed the address exactly; of this machine's own any port is as good as another. */
export function mayRedirectTo({ redirectUris }: AgentClient, address: string): boolean {
  if (!URL.canParse(address)) return false;
  const url = new URL(address);
  if (url.hash !== "" || url.username !== "" || url.password !== "" || !mayLeadThere(url)) return false;
  return redirectUris.some((listed) => listed === address || isSameButPort(listed, url));
}

/** Pages of https, programs of this machine, and programs that have a scheme of their own, named after a domain. */
const mayLeadThere = (url: URL): boolean =>
  url.protocol === "https:" ||
  (url.protocol === "http:" && isLoopback(url)) ||
  /^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:$/.test(url.protocol);

function isSameButPort(listed: string, url: URL): boolean {
  if (!URL.canParse(listed) || url.protocol !== "http:" || !isLoopback(url)) return false;
  const other = new URL(listed);
  other.port = url.port;
  return other.href === url.href;
}

const unknownClient = (message: string): Problem =>
  invalidAt("/client_id", message, `This program is not known. ${message}`);
