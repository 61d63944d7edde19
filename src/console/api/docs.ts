// Docs are read with their text and saved over the version that was read, whichever screen does it.

import { queryOptions } from "@tanstack/react-query";
import { request } from "./client.ts";
import type { components } from "./schema.d.ts";

export type DocDetail = components["schemas"]["DocDetail"];

export const docQuery = (docId: string) => queryOptions({ queryKey: ["docs", docId], queryFn: () => fetchDoc(docId) });

/** It comes as YAML, too, so its type is no single one. */
export async function fetchDoc(docId: string): Promise<DocDetail> {
  const answer = await request(`/v4/docs/${docId}`, { headers: { accept: "application/json" } });
  return ((await answer.json()) as { data: DocDetail }).data;
}

export async function createDoc(text: string): Promise<{ id: string }> {
  const headers = { "content-type": "application/yaml" };
  const answer = await request("/v4/docs", { method: "POST", headers, body: text });
  return ((await answer.json()) as { data: { id: string } }).data;
}

/** Rejects with a problem of status 412 where another version than `over` is the newest. */
export async function saveDocText(
  doc: Pick<DocDetail, "id" | "media_type">,
  text: string,
  over: number,
): Promise<void> {
  const headers = { "content-type": doc.media_type, "if-match": `"${over}"` };
  await request(`/v4/docs/${doc.id}`, { method: "PUT", headers, body: text });
}

/** Runs the doc as its webhook's callers do, and answers the run's id. */
export async function executeDoc(path: string, body: string): Promise<string> {
  const headers = { "content-type": "application/json", prefer: "respond-async" };
  const answer = await request(path, { method: "POST", headers, body });
  return ((await answer.json()) as { data: { runId: string } }).data.runId;
}

export const executionPath = (docId: string): string => `/v4/webhook/docs/${docId}/execute`;
