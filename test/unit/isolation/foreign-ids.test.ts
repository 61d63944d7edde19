// Generated from the document: another team's ids, in path, query and body, for each role and kind of key, are answered
// as ids that do not exist, and nothing of the other team changes. A new operation is covered by being in the document;
// one that names an id this suite has not heard of fails it.

import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { rightsOf } from "../../../src/core/scope.ts";
import { mintSuffix } from "../../../src/features/teams/keys/key.ts";
import { TENANT_TABLES } from "../../../src/platform/db/tenant-tables.ts";
import { listOperations, messageIn, readDocument, type Operation } from "../../support/unit/conformance.ts";
import { call, type Answer } from "../../support/unit/http.ts";
import { sampleOf } from "../../support/unit/sample.ts";
import { idsOf } from "../../support/unit/isolation/tenant.ts";
import { newTeam, type TestTeam } from "../../support/unit/team.ts";

type Ids = Record<string, string>;
type Schema = {
  $ref?: string;
  format?: string;
  type?: string | string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
};
type Declared = {
  parameters?: { in: string; name: string; schema: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
};

const { paths, components } = await readDocument();
const declaredOf = ({ path, method }: Operation) => paths[path]![method.toLowerCase()] as unknown as Declared;
const bodySchemaOf = (operation: Operation) => declaredOf(operation).requestBody?.content["application/json"]?.schema;
const operations = (await listOperations()).filter(({ isPublic }) => !isPublic);

/** What each id that a query or a body names is of. */
const KINDS: Record<string, string[]> = {
  integration_id: ["integration_id"],
  lake_id: ["integration_id"],
  warehouse: ["integration_id"],
  dest_integration_id: ["integration_id"],
  resourceId: ["doc_id", "integration_id", "delivery_id"],
  doc_id: ["doc_id"],
  destination_id: ["destination_id"],
  after: ["message_id"],
  ownerId: ["user_id"],
  actor_id: ["user_id"],
  subject_id: ["integration_id", "doc_id"],
  teamId: ["team_id"],
  teamIds: ["team_id"],
  id: ["integration_id", "job_id"],
  cursor: ["event_id"],
  engineJobId: ["run_id"],
  maintenanceId: ["run_id"],
  existing_version_id: ["run_id"],
  owner_id: ["user_id"],
  query_id: ["query_id"],
  role_id: ["role_id"],
  delivery_id: ["delivery_id", "message_id"],
};
/** Parameters that name things of another system. */
const NOT_OURS = ["project_id", "channel_id", "rawId", "client_id"];
/** They make what their path names, in the caller's own team. */
const NAMING = ["setSecret"];
/** Whose teams are any. */
const isOperators = ({ path }: Operation): boolean => path.startsWith("/v4/admin/");

const isId = (name: string, schema: Schema): boolean =>
  /(^|_)ids?$|Ids?$|^warehouse$/.test(name) || JSON.stringify(schema).includes('"format":"uuid"');

type Place = { in: "query" | "body"; name: string; pointer: string[]; isList: boolean };

/** Where a body or query names ids; those of lists within, in their first item. */
function placesOf(operation: Operation): Place[] {
  const found: Place[] = [];
  const isList = ({ type }: Schema) => type === "array";
  for (const { in: where, name, schema } of declaredOf(operation).parameters ?? [])
    if (where === "query" && isId(name, schema)) found.push({ in: "query", name, pointer: [], isList: isList(schema) });
  const walk = (schema: Schema | undefined, pointer: string[], seen: string[]): void => {
    if (!schema) return;
    if (schema.$ref) {
      const name = schema.$ref.split("/").at(-1)!;
      if (!seen.includes(name)) walk(components.schemas[name] as Schema, pointer, [...seen, name]);
      return;
    }
    for (const branch of [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])])
      walk(branch, pointer, seen);
    walk(schema.items, [...pointer, "0"], seen);
    for (const [name, inner] of Object.entries(schema.properties ?? {})) {
      if (isId(name, inner)) found.push({ in: "body", name, pointer: [...pointer, name], isList: isList(inner) });
      else walk(inner, [...pointer, name], seen);
    }
  };
  walk(bodySchemaOf(operation), [], []);
  const once = new Map(found.map((place) => [`${place.in} ${place.name} ${place.pointer.join("/")}`, place]));
  return [...once.values()].filter(({ name }) => !NOT_OURS.includes(name));
}

const fill = (path: string, ids: Ids): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    if (!ids[name]) throw new Error(`Teach this suite where another team's {${name}} comes from.`);
    return encodeURIComponent(ids[name]);
  });

function bodyOf(operation: Operation, { pointer }: Pick<Place, "pointer">, value?: unknown): unknown {
  const schema = bodySchemaOf(operation);
  if (!schema) return undefined;
  const body = sampleOf(schema as never, components.schemas) as Record<string, unknown>;
  if (typeof body["name"] === "string") body["name"] = `Name ${crypto.randomUUID()}`;
  let at: Record<string, unknown> = body;
  for (const [i, step] of pointer.entries()) {
    if (i === pointer.length - 1) at[step] = value;
    else at = (at[step] ??= pointer[i + 1] === "0" ? [] : {}) as Record<string, unknown>;
  }
  return body;
}

const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
/** Headers that differ from request to request, or whose length depends on a duration. */
const OWN_HEADERS = ["x-request-id", "server-timing", "content-length", "ratelimit", "ratelimit-policy"];
/** All of an answer but ids and instants. */
const reported = ({ status, headers, body }: Answer) => ({
  status,
  headers: [...headers].filter(([name]) => !OWN_HEADERS.includes(name)),
  body: JSON.stringify(body, (key, value) => (key === "durationMs" ? 0 : value))
    ?.replaceAll(UUID, "<id>")
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "<at>"),
});

let [ours, theirs]: TestTeam[] = [];
let [ourIds, theirIds]: Ids[] = [];
const KEYS: Record<string, string> = {};
const WHO = ["an admin", "a member", "an admin's key with scopes", "an admin's run", "a member's run", "an operator"];

async function newRunKey({ id: teamId }: TestTeam, userId: string): Promise<string> {
  const { suffix, suffixHash } = await mintSuffix();
  await env.DB.prepare(
    `insert into doc_runs (id, team_id, doc_id, doc_name, doc_version, cause, user_id, key_hash, state, lease_until, deadline_at, created_at)
     values (?1, ?2, ?1, 'Doc', 1, 'manual', ?3, ?4, 'running', '2999', '2999', '2000-01-01T00:00:00.000Z')`,
  )
    .bind(crypto.randomUUID(), teamId, userId, suffixHash)
    .run();
  return `${userId}-${suffix}`;
}

beforeAll(async () => {
  [ours, theirs] = [await newTeam(), await newTeam()];
  [ourIds, theirIds] = [await idsOf(ours), await idsOf(theirs)];
  const platform = await newTeam();
  await env.DB.prepare("update users set is_operator = 1 where id = ?").bind(platform.admin.id).run();
  const scoped = await call("POST", `/v4/users/${ours.admin.id}/keys`, {
    key: ours.admin.key,
    body: { name: "scoped", scopes: [...rightsOf("admin", false)] },
  });
  Object.assign(KEYS, {
    "an admin": ours.admin.key,
    "a member": ours.member.key,
    "an admin's key with scopes": scoped.body.data.key,
    "an admin's run": await newRunKey(ours, ours.admin.id),
    "a member's run": await newRunKey(ours, ours.member.id),
    "an operator": platform.admin.key,
  });
});

/** What counts the other team's own requests of before, and comes later. */
const COUNTING = ["event_rollups", "meter_batches", "key_uses"];

/** Every row and object of the other team. */
const whatIsTheirs = async (): Promise<string> => {
  const tables = await env.DB.batch(
    TENANT_TABLES.filter((table) => !COUNTING.includes(table)).map((table) =>
      env.DB.prepare(`select * from ${table} where team_id = ?`).bind(theirs!.id),
    ),
  );
  const { objects } = await env.BUCKET.list({ prefix: `${theirs!.id}/` });
  return JSON.stringify([tables.map(({ results }) => results), objects.map(({ key, etag }) => [key, etag])]);
};

/** As the test before has left it, which is as it was: whatever changed it has failed there. */
let theirsBefore: string | undefined;

async function expectNothingOfTheirsChanged(ask: () => Promise<void>): Promise<void> {
  const before = (theirsBefore ??= await whatIsTheirs());
  await ask();
  theirsBefore = await whatIsTheirs();
  expect(theirsBefore).toBe(before);
}

/** Names stay as they are where another team's would be no other: of tables, versions and kinds. */
const NO_IDS = [
  ...["type", "schema_name", "table_name", "column_name", "version", "attempt_id"],
  ...["endpoint_name", "dashboard_name", "dataset_key"],
];
const missingIds = (ids: Ids): Ids =>
  Object.fromEntries(Object.entries(ids).map(([name, id]) => [name, NO_IDS.includes(name) ? id : crypto.randomUUID()]));

/** One of the same time, for ids are places in an order, too. */
const missingBeside = (id: string): string => id.slice(0, -12) + crypto.randomUUID().slice(-12);

const title = ({ operationId }: Operation) => operationId;
const addressed = operations.filter(
  ({ path, operationId }) =>
    (/\{.*_|_.*\{/.test(path) || path.includes("{warehouse}")) && !NAMING.includes(operationId),
);

describe.each(WHO)("another team's ids in a path, sent by %s", (who) => {
  const asked = addressed.filter((operation) => who !== "an operator" || !isOperators(operation));

  it.each(asked.map((operation) => [title(operation), operation] as const))(
    "are to %s as ids that do not exist",
    (_, operation) =>
      expectNothingOfTheirsChanged(async () => {
        const ask = (ids: Ids) =>
          call(operation.method, fill(operation.path, ids), {
            key: KEYS[who]!,
            body: bodyOf(operation, { pointer: [] }),
          });
        const [foreign, missing] = [await ask(theirIds!), await ask(missingIds(theirIds!))];
        expect(reported(foreign)).toEqual(reported(missing));
        if (foreign.status === 403) expect(messageIn(operation.path, foreign.body)).toMatch(/^This needs the right /);
        else expect(foreign.status).toBe(404);
      }),
  );
});

const placed = operations
  .filter((operation) => !isOperators(operation) || operation.path.startsWith("/v4/admin/lake/"))
  .flatMap((operation) => placesOf(operation).map((place) => ({ operation, place })));

describe("every id that a query or a body names", () => {
  it("is of a kind that this suite knows", () => {
    const unknown = operations
      .flatMap((operation) => placesOf(operation).map(({ name }) => `${operation.operationId} ${name}`))
      .filter((named) => !(named.split(" ")[1]! in KINDS));
    expect(unknown).toEqual([]);
    expect(placed.length).toBeGreaterThan(12);
  });
});

describe.each(WHO.filter((who) => who !== "an operator"))("another team's ids in query and body, sent by %s", (who) => {
  it.each(
    placed.map(
      ({ operation, place }) =>
        [`${title(operation)} ${place.in} ${place.name} ${place.pointer.join("/")}`, operation, place] as const,
    ),
  )("are to %s as ids that do not exist", (_, operation, place) =>
    expectNothingOfTheirsChanged(async () => {
      for (const kind of KINDS[place.name]!) {
        const ask = async (id: string): Promise<Answer> => {
          const inBody = place.in === "body";
          const query = inBody ? "" : `?${place.name}=${id}`;
          return call(operation.method, fill(operation.path, ourIds!) + query, {
            key: KEYS[who]!,
            body: inBody ? bodyOf(operation, place, place.isList ? [id] : id) : bodyOf(operation, { pointer: [] }),
          });
        };
        const [foreign, missing] = [await ask(theirIds![kind]!), await ask(missingBeside(theirIds![kind]!))];
        expect(reported(foreign)).toEqual(reported(missing));
        // What is theirs is not in the answer either, but for the id that was sent.
        const { admin, member, id, name } = theirs!;
        for (const secret of [admin.id, member.id, id, name].filter((value) => value !== theirIds![kind]))
          expect(JSON.stringify(foreign.body ?? "")).not.toContain(secret);
      }
    }),
  );
});
