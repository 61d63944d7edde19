// An agent's client, the protocol's own, that speaks to the Worker under test.

import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { exports } from "cloudflare:workers";

export { ask, dataOf, failureOf, textOf } from "../../agents/tool-answers.ts";

/** The versions of the protocol that are spoken: by their handshake, or without one. */
export const VERSIONS = { "2025": "legacy", "2026-07-28": { pin: "2026-07-28" } } as const;
export type Version = keyof typeof VERSIONS;

/** A connected client; `query` narrows its tools. */
export async function connect(key: string, version: Version = "2026-07-28", query = ""): Promise<Client> {
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: VERSIONS[version] } });
  const transport = new StreamableHTTPClientTransport(new URL(`https://fjord.test/mcp${query}`), {
    requestInit: { headers: { authorization: `Bearer ${key}` } },
    fetch: (url, init) => exports.default.fetch(new Request(url, init)),
  });
  await client.connect(transport);
  return client;
}
