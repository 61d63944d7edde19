// An answer runs as an agent's would: by the platform's tools, which only read and cut what is long.

import type { Fjord } from "../../../typescript/src/client.ts";
import type { Answer } from "./answer.ts";
import type { ResultRows } from "./compare.ts";

/** A little more than a tool's statement may take. */
const CALL_MS_MAX = 70_000;

type ToolResult = { isError?: boolean; content: { type: string; text?: string }[] };
type Reply = { result?: ToolResult; error?: { message: string } };

/** Throws an `Error` with the tool's words where the platform refuses it. */
export async function runAnswer(fjord: Fjord, answer: Answer, modelId: string | undefined): Promise<ResultRows> {
  const id = answer.integration_id ?? (answer.query === undefined ? undefined : modelId);
  const where = id === undefined ? {} : { integration_id: id };
  const { query, sql } = answer;
  const [name, input] = query === undefined ? ["run_sql", { sql, ...where }] : ["semantic_query", { query, ...where }];
  const text = await callTool(fjord, name, input);
  const [, , json] = /<data (\S+)>\n([\s\S]*)\n<\/data \1>/.exec(text) ?? [];
  if (json === undefined) throw new Error("The platform's tool answered no data.");
  return JSON.parse(json) as ResultRows;
}

async function callTool(fjord: Fjord, name: string, input: object): Promise<string> {
  const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: input } };
  const response = await fjord.request("/mcp?read_only=1", {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
    body: JSON.stringify(message),
    signal: AbortSignal.timeout(CALL_MS_MAX),
  });
  const { result, error } = readReply(await response.text(), response.headers.get("content-type"));
  if (error) throw new Error(error.message);
  const text = result?.content.find(({ type }) => type === "text")?.text ?? "";
  if (result?.isError) throw new Error(text);
  return text;
}

/** The reply as one document, or as the last event of a stream, as clients of the protocol take either. */
function readReply(body: string, mediaType: string | null): Reply {
  if (!mediaType?.startsWith("text/event-stream")) return JSON.parse(body) as Reply;
  const lines = body.split("\n").filter((line) => line.startsWith("data:"));
  return JSON.parse(lines.at(-1)?.slice("data:".length) ?? "{}") as Reply;
}
