import { describe, expect, it } from "vitest";
import { call } from "../../../support/unit/http.ts";
import { newTeam } from "../../../support/unit/team.ts";

describe("getMe", () => {
  it("tells the caller who they are and what they may do", async () => {
    const team = await newTeam();
    const { status, body } = await call("GET", "/v4/me", { key: team.member.key });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      user: { id: team.member.id },
      team: { id: team.id, name: team.name },
      role: "member",
      is_operator: false,
    });
    expect(body.data.rights).toEqual([
      "query",
      "catalog:read",
      "integrations:read",
      "drive",
      "docs:read",
      "docs:run",
      "store",
      "messages:send",
      "secrets:read",
      "jobs:read",
      "queries:write",
    ]);
    expect(body.data.key_id).not.toBe("");
  });
});
