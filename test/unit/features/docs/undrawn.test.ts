// What a doc's mail shows of tiles that nothing here draws.

import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { planParts } from "../../../../src/features/deliveries/send/parts.ts";
import { openClients } from "../../../../src/clients/clients.ts";
import { FOREIGN } from "../../../support/unit/docs/examples.ts";
import { call } from "../../../support/unit/http.ts";
import { newTeam } from "../../../support/unit/team.ts";

async function partsOf(doc: object) {
  const team = await newTeam();
  const { id } = (await call("POST", "/v4/docs", { key: team.admin.key, body: doc })).body.data;
  const runId = crypto.randomUUID();
  await env.DB.prepare(
    `insert into doc_runs (id, team_id, doc_id, doc_name, doc_version, cause, user_id, key_hash, state, lease_until,
       deadline_at, created_at, ended_at) values (?1, ?2, ?3, 'Doc', 1, 'manual', ?4, '', 'succeeded', ?5, ?5, ?5, ?5)`,
  )
    .bind(runId, team.id, id, team.admin.id, new Date().toISOString())
    .run();
  const ctx = { ...openClients(env), scope: { teamId: team.id } } as unknown as Parameters<typeof planParts>[0];
  const delivery = { source: { kind: "doc", doc_id: id } } as Parameters<typeof planParts>[1];
  return planParts(ctx, delivery, { stored: [], docRunId: runId });
}

describe("a mail of a doc", () => {
  it("has a note in the place of what is not drawn, and draws a tile that has members which nothing knows", async () => {
    expect(await partsOf(FOREIGN)).toMatchObject([
      { kind: "markdown", title: "Map", content: "_This chart is not drawn here: its type is vega._" },
      { kind: "markdown", title: "", content: "_This tile is not drawn here: its type is clock._" },
      { kind: "markdown", title: "", content: "_This chart is not drawn here: its type is funnel._" },
      { kind: "result", title: "", name: "sales", viz: { type: "bar" } },
    ]);
  });

  it("says no type that is more than a word", async () => {
    const type = "[read this](https://elsewhere.example)";
    const [clock] = FOREIGN.layout.tiles.filter((tile) => tile.id === "clock");
    expect(await partsOf({ ...FOREIGN, layout: { tiles: [{ ...clock, type }] } })).toMatchObject([
      { kind: "markdown", content: "_This tile is not drawn here._" },
    ]);
  });
});
