// The server of one call, by the protocol's own library: it speaks the version that the client does.

import { createMcpHandler, McpServer, type CallToolResult } from "@modelcontextprotocol/server";
import { REQUEST_LIMITS } from "../../http/request/limits.ts";
import { isProblem, Problem } from "../../core/problem.ts";
import { dataAnswer, DrawnData, drawnAnswer, failureAnswer } from "./answer.ts";
import { DRAWING_APP } from "./app/drawing.ts";
import type { OperationCalls } from "./operation-calls.ts";
import type { Tool } from "./tool.ts";

const SERVER = { name: "fjord", title: "Fjord", version: "1.0.0" };
const INSTRUCTIONS = "The data of one team. Call get_context first; ask a semantic model before you write SQL.";

/** Nothing is kept between calls, and nobody is told of changes: there is one answer, and no stream stays open. */
export async function serveTools(calls: OperationCalls, tools: readonly Tool[]): Promise<Response> {
  const handler = createMcpHandler(() => serverOf(calls, tools), {
    responseMode: "json",
    maxSubscriptions: 0,
    maxRequestBodySize: REQUEST_LIMITS.bodyBytesMax,
    onerror: (error) => log(calls, error),
  });
  return handler.fetch(calls.ctx.request);
}

function serverOf(calls: OperationCalls, tools: readonly Tool[]): McpServer {
  const isDrawing = tools.some(({ isDrawn }) => isDrawn);
  const capabilities = { tools: { listChanged: false }, ...(isDrawing && { resources: { listChanged: false } }) };
  const server = new McpServer(SERVER, { instructions: INSTRUCTIONS, capabilities });
  if (isDrawing) registerApp(server);
  for (const tool of tools) {
    const { name, title, description, input: inputSchema, reads, isDrawn } = tool;
    const annotations = { readOnlyHint: reads, destructiveHint: !reads, openWorldHint: false };
    const _meta = isDrawn && { ui: { resourceUri: DRAWING_APP.uri } };
    server.registerTool(name, { title, description, inputSchema, annotations, ...(_meta && { _meta }) }, (input) =>
      callTool(calls, tool, input),
    );
  }
  return server;
}

/** The page in which a client shows what was drawn. */
function registerApp(server: McpServer): void {
  const { uri, name, mimeType } = DRAWING_APP;
  server.registerResource(name, uri, { mimeType }, async () => ({
    contents: [{ uri, mimeType, text: await DRAWING_APP.load() }],
  }));
}

async function callTool(calls: OperationCalls, tool: Tool, input: Record<string, unknown>): Promise<CallToolResult> {
  try {
    const value = await tool.run(calls, input);
    return value instanceof DrawnData ? drawnAnswer(value) : dataAnswer(value);
  } catch (error) {
    if (isProblem(error)) return failureAnswer(error);
    log(calls, error);
    return failureAnswer(new Problem("internal_error", "A tool failed."));
  }
}

const log = ({ ctx }: OperationCalls, error: unknown): void =>
  console.error(JSON.stringify({ event: "mcp_failed", requestId: ctx.requestId, cause: String(error) }));
