// An agent's client, the protocol's own, that speaks to the Worker under test.

import { Client, StreamableHTTPClientTransport, type CallToolResult } from "@modelcontextprotocol/client";
import { exports } from "cloudflare:workers";

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

export const textOf = ({ content }: Pick<CallToolResult, "content">): string =>
  content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");

/** The data of an answer, from between its marks. */
export function dataOf(result: CallToolResult): unknown {
  const text = textOf(result);
  const [, mark, data] = /<data (\S+)>\n([\s\S]*)\n<\/data \1>$/.exec(text) ?? [];
  if (mark === undefined || data === undefined) throw new Error(`No data: ${text}`);
  return JSON.parse(data);
}

/** Calls a tool that is expected to answer data. */
// biome-ignore lint/suspicious/noExplicitAny: each tool answers in its own form
export async function ask(client: Client, name: string, input: Record<string, unknown> = {}): Promise<any> {
  const result = (await client.callTool({ name, arguments: input })) as CallToolResult;
  if (result.isError) throw new Error(textOf(result));
  return dataOf(result);
}

/** The text in which a call fails. */
export async function failureOf(client: Client, name: string, input: Record<string, unknown> = {}): Promise<string> {
  const result = (await client.callTool({ name, arguments: input })) as CallToolResult;
  if (!result.isError) throw new Error(`${name} answered ${textOf(result)}`);
  return textOf(result);
}
