// A team with a database that can be synced from, made without dialling it.

import { env } from "cloudflare:workers";
import type { Introspection } from "../../../kernel/wire/source.ts";
import { planIntegration } from "../../../src/features/integrations/integration.ts";
import { sealCredentials } from "../../../src/features/integrations/open-source.ts";
import { insertIntegration } from "../../../src/features/integrations/store.ts";
import { openVault } from "../../../src/platform/crypto/vault.ts";
import { openDb } from "../../../src/platform/db/client.ts";
import { openLake } from "../../../src/lake/lake.ts";
import { callWith, sourceTable, sourceWith } from "./call-with.ts";
import { postgresCredentials } from "./databases.ts";
import { newTeam, scopeOf, type TestTeam } from "./team.ts";

const SCHEMAS: Introspection["schemas"] = [
  {
    name: "public",
    tables: [
      sourceTable("orders"),
      sourceTable("items"),
      sourceTable("tags", { primaryKey: [] }),
      sourceTable("recent", { kind: "view", primaryKey: [] }),
    ],
  },
  { name: "sales", tables: [sourceTable("orders"), sourceTable("people")] },
];

export async function addSource(team: TestTeam, name = `shop ${crypto.randomUUID()}`): Promise<string> {
  const now = new Date();
  const source = planIntegration({ teamId: team.id, name, type: "postgres", isDefault: false, details: {}, now });
  const sealed = await sealCredentials(
    { scope: scopeOf(team.id, team.admin.id, false), vault: openVault(env) },
    source.id,
    { type: "postgres", credentials: postgresCredentials() },
  );
  await openDb(env.DB).batch([insertIntegration(openDb(env.DB), team.id, source, sealed)]);
  return source.id;
}

export async function newSyncTeam(schemas = SCHEMAS) {
  const team = await newTeam();
  const sourceId = await addSource(team, "shop");
  const lakeId = (await env.DB.prepare("SELECT id FROM integrations WHERE team_id = ? AND is_default = 1")
    .bind(team.id)
    .first<string>("id"))!;
  const { bindings, wakeUps } = sourceWith(schemas);
  const base = `/v1/api/integrations/${sourceId}`;
  const api = (method: string, path: string, body?: unknown, key: string | undefined = team.admin.key) =>
    callWith(bindings, method, `${base}${path}`, { key, body });
  const configure = (rest: Record<string, unknown> = {}) =>
    api("POST", "/sync", { dest_schema: "shop", schedule: "hourly", tables: ["public.orders"], ...rest });
  return { team, sourceId, lakeId, catalog: openLake(env, lakeId), base, bindings, wakeUps, api, configure };
}
export type SyncTeam = Awaited<ReturnType<typeof newSyncTeam>>;
