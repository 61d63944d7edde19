// Reads what a tool of `/mcp` has answered to the protocol's own client.

import type { CallToolResult, Client } from "@modelcontextprotocol/client";

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
