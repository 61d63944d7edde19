import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { listOperations, readDocument } from "../../support/unit/conformance.ts";
import { call } from "../../support/unit/http.ts";
import { newTeam, type TestTeam } from "../../support/unit/team.ts";

const { paths } = await readDocument();
type Body = { required: boolean; content: Record<string, unknown> };
const bodyOf = (method: string, path: string) =>
  (paths[path]![method.toLowerCase()] as unknown as { requestBody?: Body }).requestBody;
/** Three ask for another secret than a user's key; one looks for its doc first, and takes what `createDoc` takes. */
const APART = ["createFirstOperator", "callEndpoint", "askDashboardDataset", "updateDoc"];
/** The published specification wants one of these, though one without members will do. */
const REQUIRED_ALL_THE_SAME = ["processAutomationJob", "setMaintenanceSchedule"];
const taking = (await listOperations()).filter(
  ({ method, path, operationId }) => bodyOf(method, path) && !APART.includes(operationId),
);

/** Fills a path with ids that are nobody's: a body is looked at before what it is for. */
const fill = (path: string): string => path.replaceAll(/\{\w+\}/g, () => crypto.randomUUID());

let team: TestTeam;
beforeAll(async () => {
  team = await newTeam();
  await env.DB.prepare("update users set is_operator = 1 where id = ?").bind(team.admin.id).run();
});

const refused = (status: number): boolean => [400, 413, 415, 422].includes(status);

describe("a body", () => {
  it.each(taking.map((operation) => [operation.operationId, operation] as const))(
    "is optional exactly where one without members would do: %s",
    async (id, { method, path }) => {
      const { key } = team.admin;
      const { status } = await call(method, fill(path), { key, body: {} });
      if (!REQUIRED_ALL_THE_SAME.includes(id)) return expect(bodyOf(method, path)!.required).toBe(refused(status));
      expect(refused(status)).toBe(false);
      expect((await call(method, fill(path), { key })).status).toBe(422);
    },
  );
});

describe("an optional body", () => {
  const optional = taking
    .filter(({ method, path }) => !bodyOf(method, path)!.required)
    .map((operation) => [operation.operationId, operation] as const);

  it("is that of the operations whose members have defaults", () => {
    expect(optional.map(([id]) => id).sort()).toEqual([
      "createMagicLink",
      "draftSemanticModel",
      "executeWebhook",
      "queryDataset",
      "runDoc",
      "runMaintenance",
      "runSavedQuery",
      "runSync",
      "runTeamMaintenance",
      "setEndpointSecret",
      "setPublishedDashboardSecret",
      "setWebhookSecret",
    ]);
  });

  it.each(optional)("may be absent, or empty whatever its type: %s", async (_, { method, path }) => {
    const { key } = team.admin;
    const asked = await Promise.all([
      call(method, fill(path), { key }),
      call(method, fill(path), { key, raw: "", headers: { "content-type": "application/json" } }),
      call(method, fill(path), { key, raw: new Uint8Array(0) }),
      call(method, fill(path), { key, raw: "", headers: { "content-type": "application/x-www-form-urlencoded" } }),
      // This body has no stated length.
      call(method, fill(path), { key, raw: new ReadableStream({ pull: (controller) => controller.close() }) }),
      call(method, fill(path), {
        key,
        raw: new ReadableStream({ pull: (controller) => controller.close() }),
        headers: { "content-type": "text/plain" },
      }),
    ]);
    expect(asked.map(({ status }) => status)).toEqual(asked.map(() => 404));
  });

  it.each(optional)(
    "that is there is read, and refused where it is wrong: %s",
    async (_, { method, path, operationId }) => {
      const { key } = team.admin;
      const types = ["text/plain", "application/x-www-form-urlencoded"];
      for (const type of types)
        expect((await call(method, fill(path), { key, raw: "{}", headers: { "content-type": type } })).status).toBe(
          415,
        );
      // A webhook's body passes through to the sandbox, which is the first to read it.
      if (operationId === "executeWebhook") return;
      for (const raw of ["{oops", "[]", " "])
        expect(
          (await call(method, fill(path), { key, raw, headers: { "content-type": "application/json" } })).status,
        ).toBe(422);
      expect((await call(method, fill(path), { key, body: { unknown: 1 } })).status).toBe(422);
    },
  );

  it("leaves its operation with the defaults", async () => {
    const definition = { version: 1, kind: "pipeline", metadata: { name: "Doc" }, datasets: {} };
    const { id } = (await call("POST", "/v4/docs", { key: team.admin.key, body: definition })).body.data;
    const { status, body } = await call("PUT", `/v4/docs/${id}/webhook-secret`, { key: team.admin.key });
    expect([status, body.data.secret]).toEqual([200, expect.stringMatching(/^whsec_/)]);
  });
});
