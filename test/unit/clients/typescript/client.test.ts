// The published client, in workerd, against the Worker under test.

import { exports } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { Fjord, FjordProblem, itemsOf } from "../../../../clients/typescript/src/client.ts";
import { newTeam, type TestTeam } from "../../../support/unit/team.ts";
import { collect } from "../../../support/unit/clients/collect.ts";

let team: TestTeam;
let fjord: Fjord;
beforeAll(async () => {
  team = await newTeam();
  fjord = clientOf(team.admin.key);
});

const clientOf = (apiKey: string): Fjord =>
  new Fjord({ baseUrl: "https://fjord.test/", apiKey, fetch: (request) => exports.default.fetch(request) });

const failureOf = (work: Promise<unknown>): Promise<unknown> => work.catch((error: unknown) => error);

describe("a typed operation", () => {
  it("answers its data", async () => {
    const { data } = await fjord.api.GET("/v4/me");
    expect(data?.data).toMatchObject({ role: "admin", team: { id: team.id } });
  });

  it("throws a problem with the code, the flaws and the request's id", async () => {
    const invalid = await failureOf(fjord.api.POST("/v4/queries", { body: { name: "", sql: "SELECT 1" } as never }));
    expect(invalid).toBeInstanceOf(FjordProblem);
    expect(invalid).toMatchObject({ code: "validation_failed", status: 422, flaws: [{ pointer: "/name" }] });
    expect((invalid as FjordProblem).requestId).toMatch(/^[0-9a-f-]{36}$/);
    const stranger = clientOf("nobody-nothing");
    expect(await failureOf(stranger.api.GET("/v4/me"))).toMatchObject({ status: 401, code: "auth_invalid_token" });
  });
});

describe("a list", () => {
  it("is iterated over all its pages", async () => {
    const names = Array.from({ length: 103 }, (_, at) => `Query ${String(at).padStart(3, "0")}`);
    for (const name of names)
      await fjord.api.POST("/v4/queries", { body: { name, sql: "SELECT 1", description: null, tags: [] } });
    const found: string[] = [];
    const fetchPage = (query: { limit: number; offset: number }) => fjord.api.GET("/v4/queries", { params: { query } });
    for await (const { name } of itemsOf(fetchPage)) found.push(name);
    expect(found.sort()).toEqual(names);
  });

  it("ends where it has no more, whatever version answers", async () => {
    const integrations = (query: { limit: number; offset: number }) =>
      fjord.api.GET("/v1/api/integrations", { params: { query } });
    const syncs = (query: { limit: number; offset: number }) => fjord.api.GET("/v1/api/syncs", { params: { query } });
    expect(await collect(itemsOf(integrations))).toMatchObject([{ type: "lake" }]);
    expect(await collect(itemsOf(syncs))).toEqual([]);
    expect(await collect(fjord.driveFiles("none/"))).toEqual([]);
  });
});
