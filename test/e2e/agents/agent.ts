// An agent of the platform under test: the protocol's own client, with ACME's tables and model to ask.

import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { readFile } from "node:fs/promises";
import { expect, inject } from "vitest";
import { LOADING, SCHEMA } from "../../support/agents/acme/acme.ts";
import { call, query } from "../client.ts";

const SUPPORT = new URL("../../support/agents/", import.meta.url);
export const readSupport = (path: string): Promise<string> => readFile(new URL(path, SUPPORT), "utf8");

export async function connectAgent(key: string): Promise<Client> {
  const { baseUrl } = inject("platform");
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${baseUrl}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${key}` } },
    }),
  );
  return client;
}

export type Acme = { key: string; lakeId: string; modelId: string };

/**
 * Opens a team, so that what an agent is told counts nothing of other tests'; loads the tables into its lake, and puts
 * the model to an integration.
 */
export async function loadAcme(): Promise<Acme> {
  const key = await openTeam();
  for (const sql of [`CREATE SCHEMA LAKE.${SCHEMA}`, ...LOADING]) {
    const { status, body } = await query(sql, {}, { key });
    expect(status, `${sql.slice(0, 100)} ${JSON.stringify(body)}`).toBe(200);
  }
  const path = "/v1/api/integrations";
  const listed = await call<{ data: { id: string; is_default: boolean }[] }>("GET", path, { key });
  const lakeId = listed.body.data.find((integration) => integration.is_default)!.id;
  const body = { type: "cube", name: "ACME", credentials: { integration_id: lakeId } };
  const made = await call<{ integration: { id: string } }>("POST", path, { key, body });
  const modelId = made.body.integration.id;
  const files = [{ path: "acme.yml", content: await readSupport("acme/model.yml") }];
  const put = await call("PUT", `${path}/${modelId}/model`, { key, body: { files } });
  expect(put.status, JSON.stringify(put.body)).toBe(200);
  return { key, lakeId, modelId };
}

/** The key of its admin. */
async function openTeam(): Promise<string> {
  const body = { name: "ACME", plan: "enterprise", admin: { name: "Ada", email: "ada@acme.example" } };
  const opened = await call<{ data: { api_key: { key: string } } }>("POST", "/v4/admin/teams", { body });
  expect(opened.status, JSON.stringify(opened.body)).toBe(201);
  return opened.body.data.api_key.key;
}
