// Operations called without HTTP: the right and the input are checked with the verb, so that no transport can miss it.

import type { z } from "@hono/zod-openapi";
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { app } from "../../../src/app.ts";
import { openClients } from "../../../src/clients/clients.ts";
import { isProblem, PROBLEMS } from "../../../src/core/problem.ts";
import { RIGHTS, type Right } from "../../../src/core/scope.ts";
import type { CallContext } from "../../../src/http/call.ts";
import { inputSchemaOf, type Document } from "../../../src/http/openapi/input-schema.ts";
import type { Operation } from "../../../src/http/operation.ts";
import type { Input } from "../../../src/http/request/input.ts";
import { readDocument } from "../../support/unit/conformance.ts";
import { call } from "../../support/unit/http.ts";
import { newTeam, scopeOf, type TestTeam } from "../../support/unit/team.ts";

const { operations } = app;
const named = (id: string): Operation => operations.find((operation) => operation.id === id)!;
const titled = (list: Operation[]) => list.map((operation) => [operation.id, operation] as const);
const byKey = operations.filter(({ isOpen }) => !isOpen);
const byRight = byKey.filter(({ declared }) => declared.permission !== "any_key");

let team: TestTeam;
beforeAll(async () => {
  team = await newTeam();
});

/** A call by the team's admin, with these rights alone. */
function callWith(rights: readonly Right[]): CallContext {
  return {
    ...openClients(env as Env),
    scope: { ...scopeOf(team.id, team.admin.id, false), rights },
    request: new Request("https://fjord.test/"),
    requestId: crypto.randomUUID(),
    startedAt: performance.now(),
    waitUntil: () => undefined,
    overrideHeaders: () => undefined,
  };
}

/** The problem with which a call fails, and the place of its first flaw; undefined if it does not fail. */
async function failureOf(operation: Operation, rights: readonly Right[], input: Input) {
  const error = await operation.call(callWith(rights), input).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!isProblem(error)) return error;
  const { code, message, flaws } = error;
  return { code, status: PROBLEMS[code].status, message, at: flaws[0]?.pointer };
}

describe("the list of operations", () => {
  it("has each of the document's once, with its permission", async () => {
    const { paths } = await readDocument();
    const documented = Object.values(paths).flatMap((methods) =>
      Object.values(methods).map((each) => `${each.operationId} ${each["x-permission"]}`),
    );
    expect(operations.map(({ id, declared }) => `${id} ${declared.permission}`).sort()).toEqual(documented.sort());
  });

  it.each(titled(operations))(
    "gives the input of %s as a JSON Schema that is whole in itself",
    async (_, operation) => {
      const schema = inputSchemaOf((await readDocument()) as unknown as Document, operation);
      const { $defs = {}, properties } = schema as Record<"$defs" | "properties", Record<string, unknown>>;
      const references = [...JSON.stringify(schema).matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference]) => reference);
      expect(references.filter((each) => !(each!.replace("#/$defs/", "") in $defs))).toEqual([]);
      const { params, query, body, optionalBody, rawBody } = operation.declared;
      // A query whose names are not known beforehand has none to describe.
      const isNamed = query !== undefined && Object.keys((query as z.ZodObject).shape).length > 0;
      const parts = { params, query: isNamed ? query : undefined, body: body ?? optionalBody ?? rawBody };
      const declared = Object.entries(parts).filter(([, part]) => part !== undefined);
      expect(Object.keys(properties)).toEqual(declared.map(([name]) => name));
    },
  );
});

describe("a caller without the right", () => {
  it.each(titled(byRight))("is refused %s, whatever is sent", async (_, operation) => {
    const { permission: declared } = operation.declared;
    // The right beside the key of a cluster.
    const permission = declared === "iceberg" ? "query" : declared;
    const others = RIGHTS.filter((right) => right !== permission);
    for (const input of [{}, { params: { id: 1 }, query: { unknown: "x" }, body: [] }])
      expect(await failureOf(operation, others, input)).toMatchObject({
        code: "forbidden_insufficient_permissions",
        message: `This needs the right ${permission}.`,
      });
  });

  it("may ask what every key's holder may", async () => {
    expect(await named("getMe").call(callWith([]), {})).toMatchObject({ user: { id: team.admin.id } });
  });

  it("is refused what HTTP checks by a secret of its own, whatever the rights", async () => {
    expect(await failureOf(named("createFirstOperator"), RIGHTS, { body: {} })).toMatchObject({
      code: "forbidden_insufficient_permissions",
    });
  });
});

describe("an input that is not valid", () => {
  it.each(titled(byKey.filter(({ declared }) => declared.params)))(
    "of %s lacks its path: 422",
    async (_, operation) => {
      const failure = await failureOf(operation, RIGHTS, {});
      expect(failure).toMatchObject({ code: "validation_failed", status: 422 });
    },
  );

  it.each(titled(byKey.filter(({ declared }) => declared.body)))(
    "of %s has no form of its body: 422",
    async (_, each) => {
      const params = Object.fromEntries(
        Object.keys(each.declared.params?.shape ?? {}).map((name) => [name, crypto.randomUUID()]),
      );
      for (const body of [undefined, [], "text", 1])
        expect(await failureOf(each, RIGHTS, { params, body })).toMatchObject({
          code: "validation_failed",
          status: 422,
          at: "",
        });
    },
  );

  it("names a parameter that the operation does not know", async () => {
    expect(await failureOf(named("getMe"), RIGHTS, { query: { limit: 1 } })).toMatchObject({ at: "/query/limit" });
    expect(await failureOf(named("listUsers"), RIGHTS, { query: { page: 1 } })).toMatchObject({ at: "/query/page" });
    expect(await failureOf(named("listUsers"), RIGHTS, { params: { id: 1 } })).toMatchObject({ at: "/path/id" });
    expect(await failureOf(named("getMe"), RIGHTS, { body: {} })).toMatchObject({ status: 422 });
  });

  it("fails as the same does by HTTP", async () => {
    const body = { name: 5, email: "none", role: "king" };
    const { body: answered } = await call("POST", "/v4/users", { key: team.admin.key, body });
    const error = await named("createUser")
      .call(callWith(RIGHTS), { body })
      .catch((thrown: unknown) => thrown);
    expect(isProblem(error) && error.flaws).toEqual(answered.error.flaws);
  });
});

describe("a call that is permitted and valid", () => {
  it("does what the verb does, and audits it", async () => {
    const body = { name: "Grace", email: `${crypto.randomUUID()}@fjord.test`, role: "member" };
    const created = (await named("createUser").call(callWith(["team:manage"]), { body })) as { id: string };
    const page = await named("listUsers").call(callWith(["team:manage"]), { query: { limit: 250, offset: 0 } });
    expect(page).toMatchObject({ limit: 250, items: expect.arrayContaining([expect.objectContaining(created)]) });
    const { results } = await env.DB.prepare("select action from audit_events where subject_id = ?")
      .bind(created.id)
      .all();
    expect(results).toEqual([{ action: "user.create" }]);
  });

  it("hands on a body that the operation reads itself", async () => {
    const definition = { version: 1, kind: "pipeline", metadata: { name: "Called" }, datasets: {} };
    const datasets = { one: { engine: "sql", sql: "SELECT 1" } };
    const created = await named("createDoc").call(callWith(["docs:write"]), { body: { ...definition, datasets } });
    expect(created).toMatchObject({ name: "Called" });
  });
});
