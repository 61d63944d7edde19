import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { app } from "../../../../src/app.ts";
import { PROBLEMS } from "../../../../src/core/problem.ts";
import { Definition } from "../../../../src/features/docs/definition/definition.ts";
import {
  failureSchemaOf,
  hasOldStatuses,
  isIcebergs,
  listOperations,
  nonconformities,
  readDocument,
  schemaFlaws,
} from "../../../support/unit/conformance.ts";
import { send } from "../../../support/unit/http.ts";

describe("/openapi.json", () => {
  it("is OpenAPI 3.1 of version 0.1.0, for anybody, with bearer keys as its scheme", async () => {
    const response = await send("GET", "/openapi.json");
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/json"]);
    expect(await response.json()).toMatchObject({
      openapi: expect.stringMatching(/^3\.1\./),
      info: { title: "Fjord", version: "0.1.0" },
      servers: [{ url: "/" }],
      security: [{ ApiKey: [] }],
      components: { securitySchemes: { ApiKey: { type: "http", scheme: "bearer" } } },
    });
  });

  it("lists exactly the operations that are served, but for what only containers call", async () => {
    const listed = (await listOperations()).map(({ method, path }) => `${method} ${path}`);
    const served = app.routes
      .filter(({ method, path }) => method !== "ALL" && !/^\/(app|embed|internal|docs|openapi\.json)(\/|$)/.test(path))
      .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, "{$1}")}`);
    expect(listed.sort()).toEqual([...new Set(served)].sort());
  });

  it("keeps /internal to itself", async () => {
    expect(JSON.stringify(await readDocument())).not.toContain("/internal");
  });

  it("declares the failures every authenticated operation owes", async () => {
    // Version 3, Cube's API and Iceberg's have 400 for what is invalid, the first two 403 for a missing key; version 3
    // has no quotas.
    const owed = (path: string) => [
      ...(hasOldStatuses(path) ? ["400", "403", "500"] : ["401", "403", isIcebergs(path) ? "400" : "422", "500"]),
      ...(path.startsWith("/v3/") ? [] : ["426"]),
    ];
    const lacking = (await listOperations())
      .filter(({ isPublic, permission }) => !isPublic && permission !== "own_check")
      .filter(({ path, responses }) => owed(path).some((status) => !responses[status]));
    expect(lacking.map(({ operationId }) => operationId)).toEqual([]);
  });

  it("declares 404 wherever an id is addressed, and 413, 415 and 422 (or 400) wherever a body is", async () => {
    const { paths } = await readDocument();
    for (const { method, path, responses, operationId } of await listOperations()) {
      const hasBody = "requestBody" in paths[path]![method.toLowerCase()]!;
      const owed = [
        // An unknown word of a list known beforehand is invalid, and not missing.
        ...(path.replace("/{type}", "").includes("{") ? ["404"] : []),
        ...(hasBody ? ["413", "415", hasOldStatuses(path) || path.startsWith("/oauth/") ? "400" : "422"] : []),
      ];
      expect([operationId, owed.filter((status) => !responses[status])]).toEqual([operationId, []]);
    }
  });

  it("says of what form the ids in paths are", async () => {
    type Named = { name: string; in: string; schema: object };
    const { paths } = (await (await send("GET", "/openapi.json")).json()) as {
      paths: Record<string, Record<string, { parameters?: Named[] }>>;
    };
    const ids = Object.entries(paths).flatMap(([path, operations]) =>
      Object.values(operations).flatMap(({ parameters = [] }) =>
        parameters
          .filter(({ name, in: place }) => place === "path" && name.endsWith("_id"))
          .map(({ name, schema }) => ({ path, name, schema })),
      ),
    );
    expect(ids.length).toBeGreaterThan(50);
    for (const { path, name, schema } of ids) {
      if (name === "attempt_id") expect(schema).toMatchObject({ type: "integer" });
      else if (path.includes("/job-logs/") && name === "job_id") expect(schema).not.toHaveProperty("format");
      else expect([path, schema]).toMatchObject([path, { type: "string", format: "uuid" }]);
    }
  });

  it("types what a drive path and a cube_query are", async () => {
    const { schemas } = (
      (await (await send("GET", "/openapi.json")).json()) as {
        components: { schemas: Record<string, { properties: Record<string, { properties?: object }> }> };
      }
    ).components;
    expect(schemas["NewUploadUrl"]!.properties["path"]).toMatchObject({ type: "string", maxLength: 1_024 });
    expect(schemas["CubeQuery"]!.properties).toMatchObject({
      dimensions: { type: "array", items: { type: "string" } },
      limit: { type: "integer" },
    });
  });

  it("declares every failure as the one document, or as the text that clients of Cube read", async () => {
    const statuses = new Set<number>(Object.values(PROBLEMS).map(({ status }) => status));
    for (const { operationId, path, responses } of await listOperations()) {
      for (const [status, { content }] of Object.entries(responses)) {
        if (!statuses.has(Number(status))) continue;
        expect([operationId, status, content?.["application/json"]?.schema]).toEqual([
          operationId,
          status,
          failureSchemaOf(path),
        ]);
      }
    }
  });

  it("holds patterns, and not how JavaScript spells them", async () => {
    expect(JSON.stringify(await readDocument()).match(/"pattern":"[^"]*\/[a-z]+"/g)).toBeNull();
  });

  it("holds no expression that another language than JavaScript would not take", async () => {
    const patterns = [...JSON.stringify(await readDocument()).matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g)].map(
      ([, text]) => JSON.parse(text!) as string,
    );
    expect(patterns.length).toBeGreaterThan(3);
    // Look-around, classes of Unicode, named groups, code points, back-references, and digits that mean more than ASCII
    // elsewhere.
    expect(patterns.filter((pattern) => /\(\?(?!:)|\\[pPkudDwW1-9]/.test(pattern))).toEqual([]);
  });

  it("names every variant, page and object that may be null, for clients that are generated", async () => {
    const { components, paths } = await readDocument();
    const found: string[] = [];
    const look = (schema: unknown, at: string): void => {
      if (typeof schema !== "object" || schema === null) return;
      const {
        oneOf = [],
        anyOf = [],
        type,
        properties,
      } = schema as { oneOf?: object[]; anyOf?: object[]; type?: unknown; properties?: object };
      const isNamed = (variant: object) => "$ref" in variant || ("type" in variant && variant.type === "null");
      if (![...oneOf, ...anyOf].every(isNamed)) found.push(`${at}: a variant without a name`);
      if (oneOf.length > 0 && !("discriminator" in schema)) found.push(`${at}: nothing tells the variants apart`);
      if (Array.isArray(type) && properties) found.push(`${at}: an object or null`);
      if (properties && "limit" in properties && "offset" in properties && !/^schemas\/\w+Page$/.test(at))
        found.push(`${at}: a page without a name`);
      for (const [name, inner] of Object.entries(schema)) look(inner, `${at}/${name}`);
    };
    look(paths, "paths");
    look(components.schemas, "schemas");
    expect(found).toEqual([]);
  });

  it("shows an example of every body", async () => {
    const { components, paths } = await readDocument();
    type Body = {
      requestBody?: { content: Record<string, { schema: { $ref?: string }; example?: unknown }> };
      operationId: string;
    };
    const bodies = Object.values(paths).flatMap((methods) => Object.values(methods) as unknown as Body[]);
    const lacking = bodies.flatMap(({ operationId, requestBody }) =>
      Object.entries(requestBody?.content ?? {}).flatMap(([type, { schema, example }]) => {
        const named = components.schemas[schema.$ref?.split("/").at(-1) ?? ""];
        return example !== undefined || (named && "example" in named) ? [] : [`${operationId}: ${type}`];
      }),
    );
    expect(lacking).toEqual([]);
  });

  it("shows no body that its own schema refuses", async () => {
    const { components, paths } = await readDocument();
    const examples = Object.entries(components.schemas).flatMap(([name, schema]) =>
      "example" in schema ? [{ name, schema, example: schema.example as unknown }] : [],
    );
    expect(examples.length).toBeGreaterThan(10);
    for (const { name, schema, example } of examples) expect(await schemaFlaws(name, schema, example)).toEqual([]);
    const { requestBody } = paths["/v4/docs"]!.post as unknown as {
      requestBody: { content: Record<string, { example: unknown }> };
    };
    const { "application/json": json, "application/yaml": yaml } = requestBody.content;
    expect(parse(String(yaml!.example))).toEqual(json!.example);
    expect(Definition.safeParse(json!.example).error).toBeUndefined();
    expect(await schemaFlaws("DocDefinition", { $ref: "#/components/schemas/DocDefinition" }, json!.example)).toEqual(
      [],
    );
  });

  it("gives every operation a summary, a description and tags that are explained, and what is ours the tag Extensions", async () => {
    const { paths } = await readDocument();
    const operations = Object.values(paths).flatMap((methods) => Object.values(methods)) as unknown as {
      operationId: string;
      summary?: string;
      description?: string;
      tags?: string[];
    }[];
    const known = (await readDocument()).tags.map(({ name }) => name);
    const isReported = ({ summary, description, tags }: (typeof operations)[number]) =>
      summary && description && tags?.length && tags.every((tag) => known.includes(tag));
    expect(operations.filter((operation) => !isReported(operation)).map(({ operationId }) => operationId)).toEqual([]);
    const published = [
      "getLiveness",
      "getMyAccess",
      "listRoles",
      "createRole",
      "getRole",
      "updateRole",
      "getHealth",
      "runQuery",
      "listIntegrations",
      "createIntegration",
      "configureSync",
      "listSyncRuns",
      "createUploadUrl",
      "listTeams",
      "getTeam",
      "listEventStatistics",
      "getEventStatistics",
      "deleteTeam",
      "createMagicLink",
      "listLakeTables",
      "getLakeTable",
      "listTableSnapshots",
      "getColumnProfile",
      "executeWebhook",
      "listAutomationJobs",
      "createAutomationJob",
      "getAutomationJob",
      "updateAutomationJob",
      "deleteAutomationJob",
      "processAutomationJob",
      "listAutomationRuns",
      "listLakeHealth",
      "getLakeHealth",
      "getLakeStorage",
      "runMaintenance",
      "getMaintenance",
      "listMaintenanceLogs",
      "listLastFailedMaintenanceLogs",
      "runTeamMaintenance",
      "getTeamMaintenance",
      "listTeamMaintenanceLogs",
      "listLastFailedTeamMaintenanceLogs",
      "syncMaintenance",
      "listMaintenanceSchedules",
      "setMaintenanceSchedule",
      "getMaintenanceSchedule",
      "deleteMaintenanceSchedule",
      "listAutomationAttempts",
      "listAutomationLogs",
    ];
    const ours = operations.filter(({ tags }) => tags!.includes("Extensions")).map(({ operationId }) => operationId);
    expect(
      operations
        .map(({ operationId }) => operationId)
        .filter((id) => !published.includes(id))
        .sort(),
    ).toEqual(ours.sort());
  });
});

describe("the conformance check", () => {
  const failure = {
    success: false,
    message: "m",
    error: { code: "auth_invalid_token", title: "t", status: 401, retryable: false, flaws: [] },
    meta: { requestId: crypto.randomUUID(), durationMs: 1 },
  };
  const flaws = (path: string, status: number, body: unknown, type = "application/json") =>
    nonconformities("GET", path, { status, type, body });

  it("takes what is declared", async () => {
    expect(await flaws("/v4/me", 401, failure)).toEqual([]);
    expect(
      await flaws("/health", 200, { network: true, database: true, storage: true, engine: false, sandbox: true }),
    ).toEqual([]);
  });

  it.each([
    ["an undeclared status", "/v4/me", 418, failure, undefined],
    ["an undeclared content type", "/v4/me", 401, "no", "text/plain"],
    [
      "a field of the wrong type",
      "/health",
      200,
      { network: "yes", database: true, storage: true, engine: true, sandbox: true },
      undefined,
    ],
    ["a missing field", "/v4/me", 401, { ...failure, meta: {} }, undefined],
    ["an unknown code", "/v4/me", 401, { ...failure, error: { ...failure.error, code: "teapot" } }, undefined],
    ["a success where no operation is", "/v4/nowhere", 200, {}, undefined],
  ])("refuses %s", async (_, path, status, body, type) => {
    expect(await flaws(path, status, body, type)).not.toEqual([]);
  });
});
