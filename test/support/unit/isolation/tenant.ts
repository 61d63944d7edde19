// One of everything that a team can have, by the names that paths have for it.

import { env } from "cloudflare:workers";
import { openDb } from "../../../../src/platform/db/client.ts";
import { mintToken } from "../../../../src/platform/crypto/token.ts";
import { openLake } from "../../../../src/lake/lake.ts";
import { planMessage } from "../../../../src/features/messages/message.ts";
import { insertMessages } from "../../../../src/features/messages/store.ts";
import { emailOf } from "../mail/outbox.ts";
import { publishDashboard } from "../endpoints/dashboards.ts";
import { addRole } from "../data-access/roles.ts";
import { call } from "../http.ts";
import { addLinkedFile } from "../messages/linked-files.ts";
import { createTable, newWriter } from "../lake.ts";
import { callIn, signIn } from "../sign-in/session.ts";
import type { TestTeam } from "../team.ts";

/** One of every kind of thing a path can address, belonging to this team. */
export async function idsOf(team: TestTeam): Promise<Record<string, string>> {
  const integration = await env.DB.prepare("select id from integrations where team_id = ?")
    .bind(team.id)
    .first<string>("id");
  const { data } = (await call("GET", "/v4/me", { key: team.member.key })).body;
  // No statement of another team can be running under a known id here: any id stands for one.
  const runId = await addRun(team, integration!);
  return {
    team_id: team.id,
    user_id: team.member.id,
    key_id: data.key_id,
    ...(await addIdentity(team)),
    passkey_id: await addPasskey(team),
    authorization_id: await addAuthorization(team),
    session_id: (await callIn(await signIn({ api_key: team.member.key }), "GET", "/v4/me")).body.data.session_id,
    integration_id: integration!,
    warehouse: integration!,
    type: "query",
    request_id: crypto.randomUUID(),
    run_id: runId,
    page_token: await mintToken(env, {
      use: "page",
      teamId: team.id,
      userId: team.member.id,
      queryId: crypto.randomUUID(),
      offset: 0,
      expiresAt: Date.now() + 3_600_000,
    }),
    ...(await addDoc(team, runId)),
    ...(await addEndpoint(team)),
    ...(await addPublishedDashboard(team)),
    term_id: await addTerm(team),
    delivery_id: await addDelivery(team),
    ...(await addKept(team)),
    ...(await addTable(team, integration!)),
    destination_id: await addDestination(team),
    linked_file_id: (await addLinkedFile(team.id, team.admin.id)).id,
    role_id: await addRole(team, [], [team.member.id]),
    upload_id: await addUpload(team),
    ...(await addMail(team)),
    event_id: (await env.DB.prepare("select id from audit_events where team_id = ?")
      .bind(team.id)
      .first<string>("id"))!,
  };
}

/** An account at a provider, and a domain that is not proven. */
async function addIdentity({ id: teamId, admin, member }: TestTeam) {
  const id = crypto.randomUUID();
  await env.DB.prepare(
    `insert into identities (id, team_id, user_id, issuer, subject, created_at)
     values (?1, ?2, ?3, 'https://id.example.com', ?1, '2000-01-01T00:00:00.000Z')`,
  )
    .bind(id, teamId, member.id)
    .run();
  const body = { domain: `${id.slice(0, 8)}.example` };
  const domain = (await call("POST", "/v4/team/domains", { key: admin.key, body })).body.data.id as string;
  return { identity_id: id, domain_id: domain };
}

/** A passkey of a device that nobody has. */
async function addPasskey({ id: teamId, member }: TestTeam): Promise<string> {
  const id = crypto.randomUUID();
  await env.DB.prepare(
    `insert into passkeys (id, team_id, user_id, name, credential_id, public_key, uses, transports, host, created_at)
     values (?1, ?2, ?3, 'Laptop', ?1, '', 0, '[]', 'fjord.test', '2000-01-01T00:00:00.000Z')`,
  )
    .bind(id, teamId, member.id)
    .run();
  return id;
}

/** What a member has let an agent do that nobody has. */
async function addAuthorization({ id: teamId, member }: TestTeam): Promise<string> {
  const id = crypto.randomUUID();
  await env.DB.prepare(
    `insert into agent_authorizations
       (id, team_id, user_id, client_id, client_name, scopes, generation, created_at, expires_at)
     values (?, ?, ?, 'https://agent.example.com/client.json', 'Agent', '["query"]', 1, '2000', '9999')`,
  )
    .bind(id, teamId, member.id)
    .run();
  return id;
}

/** A table of the lake, once; its names are the same in any lake. */
async function addTable({ id: teamId }: TestTeam, lakeId: string) {
  const writer = await newWriter({ teamId, lakeId, catalog: openLake(env, lakeId) }, crypto.randomUUID());
  await writer.commit([createTable("main", "table")]);
  return { schema_name: "main", table_name: "table", column_name: "id" };
}

/** A run of long ago, with what else it takes to be one. */
async function addRun({ id: teamId }: TestTeam, integration: string): Promise<string> {
  const [id, at] = [crypto.randomUUID(), "2000-01-01T00:00:00.000Z"];
  await env.DB.prepare(
    `insert into sync_runs (id, team_id, sync_id, source_id, lake_id, dest_schema, cause, is_full, state, attempt, refusals, due_at, deadline_at,
       rows_read, rows_written, rows_deleted, bytes_written, revision, ended_at, created_at, updated_at)
     values (?1, ?2, ?1, ?3, ?3, 's', 'manual', 0, 'succeeded', 1, 0, ?4, ?4, 0, 0, 0, 0, 1, ?4, ?4, ?4)`,
  )
    .bind(id, teamId, integration, at)
    .run();
  return id;
}

/** A doc and what became of it, and a job of it; a run of its own under the same id as the sync's. */
async function addDoc({ id: teamId, admin }: TestTeam, runId: string) {
  const [at, execution] = ["2000-01-01T00:00:00.000Z", crypto.randomUUID()];
  const definition = {
    version: 1,
    kind: "pipeline",
    metadata: { name: "Doc" },
    datasets: { one: { engine: "python", code: "result = 1" } },
  };
  const { id } = (await call("POST", "/v4/docs", { key: admin.key, body: definition })).body.data;
  await env.DB.batch([
    env.DB.prepare(
      `insert into doc_runs (id, team_id, doc_id, doc_name, doc_version, cause, user_id, key_hash, state, lease_until, deadline_at, created_at, ended_at)
       values (?1, ?2, ?3, 'Doc', 1, 'manual', ?4, '', 'succeeded', ?5, ?5, ?5, ?5)`,
    ).bind(runId, teamId, id, admin.id, at),
    env.DB.prepare(
      "insert into executions (id, team_id, run_id, dataset_key, engine, position, is_selected, state, updated_at) values (?1, ?2, ?3, 'one', 'python', 0, 1, 'succeeded', ?4)",
    ).bind(execution, teamId, runId, at),
  ]);
  const job = { resourceType: "doc", resourceId: id };
  const jobId = (await call("POST", "/v4/automations/jobs", { key: admin.key, body: job })).body.data.id;
  return { doc_id: id, version: "1", execution_id: execution, job_id: jobId, attempt_id: "1" };
}

async function addEndpoint(team: TestTeam) {
  const { admin, member } = team;
  const made = async (path: string, key: string, body: object) =>
    (await call("POST", path, { key, body })).body.data.id as string;
  const query_id = await made("/v4/queries", member.key, { name: "One", sql: "SELECT 1 AS one" });
  const endpoint = { name: "one", query_id, role_id: await addRole(team, [], []) };
  return { query_id, endpoint_id: await made("/v4/endpoints", admin.key, endpoint), endpoint_name: "one" };
}

async function addPublishedDashboard(team: TestTeam) {
  const { id } = await publishDashboard(team, { name: "one" });
  return { published_dashboard_id: id, dashboard_name: "one", dataset_key: "orders" };
}

async function addKept({ admin }: TestTeam) {
  const [store, secret] = [crypto.randomUUID(), crypto.randomUUID()];
  await call("POST", "/v1/store", { key: admin.key, body: { name: store, data: {} } });
  await call("POST", `/v1/api/secret/${secret}`, { key: admin.key, body: { value: "x" } });
  return { store_name: store, secret_key: secret };
}

/** An address that was asked, a message that waits for long, and a mail of the platform's own outbox. */
async function addMail({ id: teamId, admin }: TestTeam) {
  const address = `${crypto.randomUUID()}@partner.example`;
  const { id } = (await call("POST", "/v4/mail/addresses", { key: admin.key, body: { address } })).body.data;
  const planned = planMessage({ teamId, channel: "email", target: address, subject: "One" }, new Date());
  const message = { ...planned, deliveryId: planned.id, dueAt: "2999-01-01T00:00:00.000Z" };
  await openDb(env.DB).batch([insertMessages(openDb(env.DB), [message])]);
  return { address_id: id, message_id: message.id, mail_id: id };
}

async function addUpload({ member }: TestTeam): Promise<string> {
  return (await call("POST", "/v3/drive/uploads", { key: member.key, body: { path: "large.bin" } })).body.upload_id;
}

async function addDelivery({ admin, member }: TestTeam): Promise<string> {
  const saved = { name: "Sent", sql: "SELECT 1 AS one" };
  const query = (await call("POST", "/v4/queries", { key: admin.key, body: saved })).body.data.id;
  const to = [{ channel: "email", address: await emailOf(member.id) }];
  const body = { name: "One", source: { kind: "query", query_id: query }, to };
  return (await call("POST", "/v4/deliveries", { key: admin.key, body })).body.data.id;
}

async function addTerm({ admin }: TestTeam): Promise<string> {
  const body = { term: "Customer", definition: "Who has paid once." };
  return (await call("POST", "/v4/glossary", { key: admin.key, body })).body.data.id;
}

async function addDestination({ admin }: TestTeam): Promise<string> {
  const body = { kind: "webhook", name: "Orders", url: "https://orders.example.com/" };
  return (await call("POST", "/v4/destinations", { key: admin.key, body })).body.data.id;
}
