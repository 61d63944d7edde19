// The server of one call, by the protocol's own library: it speaks the version that the client does.

import { createMcpHandler, McpServer, type CallToolResult } from "@modelcontextprotocol/server";
import { LIMITS } from "../../core/limits.ts";
import { isProblem, Problem } from "../../core/problem.ts";
import { failureAnswer, dataAnswer } from "./answer.ts";
import type { OperationCalls } from "./operation-calls.ts";
import type { Tool } from "./tool.ts";

const SERVER = { name: "fjord", title: "Fjord", version: "1.0.0" };
const INSTRUCTIONS = "The data of one team. Call get_context first; ask a semantic model before you write SQL.";

/** Nothing is kept between calls, and nobody is told of changes: there is one answer, and no stream stays open. */
export async function serveTools(calls: OperationCalls, tools: readonly Tool[]): Promise<Response> {
  const handler = createMcpHandler(() => serverOf(calls, tools), {
    responseMode: "json",
    maxSubscriptions: 0,
    maxRequestBodySize: LIMITS.bodyBytesMax,
    onerror: (error) => log(calls, error),
  });
  return handler.fetch(calls.ctx.request);
}

function serverOf(calls: OperationCalls, tools: readonly Tool[]): McpServer {
  const server = new McpServer(SERVER, { instructions: INSTRUCTIONS, capabilities: { tools: { listChanged: false } } });
  for (const tool of tools) {
    const { name, title, description, input: inputSchema, reads } = tool;
    const annotations = { readOnlyHint: reads, destructiveHint: !reads, openWorldHint: false };
    server.registerTool(name, { title, description, inputSchema, annotations }, (input) =>
      callTool(calls, tool, input),
    );
  }
  return server;
}

async function callTool(calls: OperationCalls, tool: Tool, input: Record<string, unknown>): Promise<CallToolResult> {
  try {
    return dataAnswer(await tool.run(calls, input));
  } catch (error) {
    if (isProblem(error)) return failureAnswer(error);
    log(calls, error);
    return failureAnswer(new Problem("internal_error", "A tool failed."));
  }
}

const log = ({ ctx }: OperationCalls, error: unknown): void =>
  console.error(JSON.stringify({ event: "mcp_failed", requestId: ctx.requestId, cause: String(error) }));
