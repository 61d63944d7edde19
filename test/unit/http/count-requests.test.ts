import { runDurableObjectAlarm } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { call } from "../../support/unit/http.ts";
import { newTeam } from "../../support/unit/team.ts";

const countOf = async (teamId: string, type: string): Promise<number> =>
  (await env.DB.prepare(
    "select coalesce(sum(count), 0) n from event_rollups where team_id = ? and type = ? and span_minutes = 1",
  )
    .bind(teamId, type)
    .first<number>("n"))!;

describe("requests", () => {
  it("count for the team of their key, whatever comes of them, and write nothing to D1 themselves", async () => {
    const team = await newTeam();
    const statements = vi.spyOn(env.DB, "prepare");
    const batches = vi.spyOn(env.DB, "batch");
    for (let i = 0; i < 5; i++) expect((await call("GET", "/v4/me", { key: team.member.key })).status).toBe(200);
    expect((await call("GET", "/v4/docs/none", { key: team.member.key })).status).toBe(404);
    expect((await call("GET", "/v4/users", { key: team.member.key })).status).toBe(403);
    expect((await call("GET", "/v4/me", { key: `${team.member.key.slice(0, -1)}_` })).status).toBe(401);
    expect((await call("GET", "/v4/me", {})).status).toBe(401);
    const asked = statements.mock.calls.map(([text]) => text);
    expect(asked).not.toEqual([]);
    // A run that another file left under way may be let go of at this moment: these requests are about no runs.
    expect(asked.filter((text) => !/^(select|update "\w+_runs")/i.test(text))).toEqual([]);
    expect(batches).not.toHaveBeenCalled();
    vi.restoreAllMocks();

    const meter = env.METER.getByName(team.id);
    await vi.waitUntil(
      async () => {
        await runDurableObjectAlarm(meter);
        return (await countOf(team.id, "api_request")) >= 7;
      },
      { timeout: 30_000, interval: 100 },
    );
    expect(await countOf(team.id, "api_request")).toBe(7);
    const used = "select count(*) n from key_uses u join api_keys k on k.id = u.key_id where k.user_id = ?";
    expect(await env.DB.prepare(used).bind(team.member.id).first("n")).toBe(1);
  });
});
