// Generated from the document: no operation works without a key, and none takes for an id what is none. Another team's
// ids are what `test/unit/isolation/` tries.

import { beforeAll, describe, expect, it } from "vitest";
import {
  hasOldStatuses,
  isCubes,
  isIcebergs,
  isPublished,
  listOperations,
  readDocument,
  type Operation,
} from "../../../support/unit/conformance.ts";
import { call, type Answer } from "../../../support/unit/http.ts";
import { sampleOf } from "../../../support/unit/sample.ts";
import { idsOf } from "../../../support/unit/isolation/tenant.ts";
import { newTeam, type Person, type TestTeam } from "../../../support/unit/team.ts";

const operations = (await listOperations()).filter(({ isPublic }) => !isPublic);
/** They make what they name, in the caller's own team: nobody else's is ever addressed. */
const NAMING = ["setSecret"];
/** A `{type}` is no id, because its words are a list that is known beforehand. */
const hasId = (path: string): boolean => path.replace("/{type}", "").includes("{");
const addressed = operations.filter(({ path, operationId }) => hasId(path) && !NAMING.includes(operationId));
const { paths, components } = await readDocument();

const fill = (path: string, ids: Record<string, string>): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    if (!ids[name]) throw new Error(`Teach this suite where another team's {${name}} comes from.`);
    return ids[name];
  });

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

  // What opens nothing published is told of nothing, as its own tests show.
  it.each(
    operations.filter(({ path }) => !isPublished(path)).map((operation) => [title(operation), operation] as const),
  )("%s is 401, or 403 on version 3 and Cube's API", async (_, operation) => {
    for (const key of [
      undefined,
      "garbage",
      `${team.admin.id}-${"A".repeat(32)}`,
      `${crypto.randomUUID()}-${team.admin.key.split("-").at(-1)}`,
    ]) {
      const [status, code, name] = hasOldStatuses(operation.path)
        ? [403, "forbidden_invalid_key", "Forbidden Insufficient Permissions"]
        : [401, "auth_invalid_token", "Auth Invalid Token"];
      const error = isCubes(operation.path)
        ? expect.stringContaining("valid API key")
        : isIcebergs(operation.path)
          ? { type: "NotAuthorizedException", code: status }
          : { code, title: name };
      expect(await ask(operation, ids, key)).toMatchObject({ status, body: { error } });
    }
  });
});

describe("ids", () => {
  let admin: Person;
  beforeAll(async () => void ({ admin } = await newTeam()));

  it.each(addressed.map((operation) => [title(operation), operation] as const))(
    "that are no ids at all are not found by %s",
    async (_, operation) => {
      const ids = Object.fromEntries(
        [
          "team_id",
          "user_id",
          "key_id",
          "session_id",
          "passkey_id",
          "authorization_id",
          "identity_id",
          "domain_id",
          "integration_id",
          "warehouse",
          "request_id",
          "page_token",
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
          "query_id",
          "endpoint_id",
          "endpoint_name",
          "published_dashboard_id",
          "dashboard_name",
          "dataset_key",
          "destination_id",
          "term_id",
          "delivery_id",
          "address_id",
          "message_id",
          "mail_id",
          "linked_file_id",
        ].map((name) => [name, "%27or%201=1--"]),
      );
      expect((await ask(operation, ids, admin.key)).status).toBe(isOperators(operation) ? 403 : 404);
    },
  );
});
