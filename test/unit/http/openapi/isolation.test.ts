// Generated from the document: no operation works without a key, and none tells another team's ids from ids that do not
// exist.

import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { openLake } from "../../../../src/platform/lake/lake.ts";
import { listOperations, readDocument, type Operation } from "../../../support/unit/conformance.ts";
import { call, type Answer } from "../../../support/unit/http.ts";
import { createTable, newWriter } from "../../../support/unit/lake.ts";
import { addRole } from "../../../support/unit/data-access/roles.ts";
import { sampleOf } from "../../../support/unit/sample.ts";
import { newTeam, type TestTeam } from "../../../support/unit/team.ts";

const operations = (await listOperations()).filter(({ isPublic }) => !isPublic);
/** They make what they name, in the caller's own team: nobody else's is ever addressed. */
const NAMING = ["setSecret"];
const addressed = operations.filter(({ path, operationId }) => path.includes("{") && !NAMING.includes(operationId));
const { paths, components } = await readDocument();

const fill = (path: string, ids: Record<string, string>): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    if (!ids[name]) throw new Error(`Teach this suite where another team's {${name}} comes from.`);
    return ids[name];
  });

/** One of every kind of thing a path can address, belonging to this team. */
async function idsOf(team: TestTeam): Promise<Record<string, string>> {
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
    integration_id: integration!,
    request_id: crypto.randomUUID(),
    run_id: runId,
    ...(await addDoc(team, runId)),
    ...(await addKept(team)),
    ...(await addTable(team, integration!)),
    role_id: await addRole(team, [], [team.member.id]),
    upload_id: await addUpload(team),
  };
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

async function addKept({ admin }: TestTeam) {
  const [store, secret] = [crypto.randomUUID(), crypto.randomUUID()];
  await call("POST", "/v1/store", { key: admin.key, body: { name: store, data: {} } });
  await call("POST", `/v1/api/secret/${secret}`, { key: admin.key, body: { value: "x" } });
  return { store_name: store, secret_key: secret };
}

async function addUpload({ member }: TestTeam): Promise<string> {
  return (await call("POST", "/v3/drive/uploads", { key: member.key, body: { path: "large.bin" } })).body.upload_id;
}

const missingIds = (ids: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.keys(ids).map((name) => [name, crypto.randomUUID()]));

function ask({ method, path }: Operation, ids: Record<string, string>, key: string | undefined): Promise<Answer> {
  const { requestBody } = paths[path]![method.toLowerCase()] as {
    requestBody?: { content: Record<string, { schema: object }> };
  };
  const schema = requestBody?.content["application/json"]?.schema;
  return call(method, fill(path, ids), { key, ...(schema ? { body: sampleOf(schema, components.schemas) } : {}) });
}

/** Their own lakes are what admins look after. */
const isOperators = ({ path }: Operation) => path.startsWith("/v4/admin/") && !path.startsWith("/v4/admin/lake/");

const title = ({ method, path }: Operation) => `${method} ${path}`;

describe("without a key that somebody holds", () => {
  let team: TestTeam;
  let ids: Record<string, string>;
  beforeAll(async () => {
    team = await newTeam();
    ids = await idsOf(team);
  });

  it.each(operations.map((operation) => [title(operation), operation] as const))(
    "%s is 401, or 403 on version 3",
    async (_, operation) => {
      for (const key of [
        undefined,
        "garbage",
        `${team.admin.id}-${"A".repeat(32)}`,
        `${crypto.randomUUID()}-${team.admin.key.split("-").at(-1)}`,
      ]) {
        const [status, code, name] = operation.path.startsWith("/v3/")
          ? [403, "forbidden_insufficient_permissions", "Forbidden Insufficient Permissions"]
          : [401, "auth_invalid_token", "Auth Invalid Token"];
        expect(await ask(operation, ids, key)).toMatchObject({ status, body: { error: { code, title: name } } });
      }
    },
  );
});

describe("another team's ids", () => {
  /** Of each request its own, or as long as its duration is written. */
  const OWN_HEADERS = ["x-request-id", "server-timing", "content-length"];
  const reported = ({ status, headers, body }: Answer) => ({
    status,
    headers: [...headers].filter(([name]) => !OWN_HEADERS.includes(name)),
    error: body.error,
    message: body.message.replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "<id>"),
  });

  it.each(addressed.map((operation) => [title(operation), operation] as const))(
    "are not told from missing ones by %s",
    async (_, operation) => {
      const [ours, theirs] = await Promise.all([newTeam(), newTeam()]);
      const ids = await idsOf(theirs);
      const [foreign, missing] = [
        await ask(operation, ids, ours.admin.key),
        await ask(operation, missingIds(ids), ours.admin.key),
      ];
      expect(reported(foreign)).toEqual(reported(missing));
      // Operators' operations refuse an admin before they look at the id.
      expect(foreign.status).toBe(isOperators(operation) ? 403 : 404);
      expect(await idsOf(theirs)).toMatchObject({ integration_id: ids["integration_id"], key_id: ids["key_id"] });
    },
  );

  it.each(addressed.map((operation) => [title(operation), operation] as const))(
    "that are no ids at all are not found by %s",
    async (_, operation) => {
      const { admin } = await newTeam();
      const ids = Object.fromEntries(
        [
          "team_id",
          "user_id",
          "key_id",
          "integration_id",
          "request_id",
          "run_id",
          "schema_name",
          "table_name",
          "column_name",
          "upload_id",
          "doc_id",
          "version",
          "execution_id",
          "job_id",
          "attempt_id",
          "role_id",
          "store_name",
          "secret_key",
        ].map((name) => [name, "%27or%201=1--"]),
      );
      expect((await ask(operation, ids, admin.key)).status).toBe(isOperators(operation) ? 403 : 404);
    },
  );
});
