// What a statement costs the Worker: a statement of a team that is at work asks D1 nothing.

import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { beforeAll, describe, expect, it } from "vitest";
import { ENGINE_HEADER, PROTOCOL } from "../../../kernel/wire/engine-program.ts";
import { LAKE_REQUEST, STATEMENT } from "../../../scripts/scale/counts.ts";
import { app } from "../../../src/app.ts";
import { newId } from "../../../src/core/ids.ts";
import type { LakeToken } from "../../../src/platform/crypto/token.ts";
import { post } from "../../support/unit/call-with.ts";
import { countBindings } from "../../support/unit/costs/counted-bindings.ts";
import { addRole } from "../../support/unit/data-access/roles.ts";
import { newTeam, type TestTeam } from "../../support/unit/team.ts";

const engine = {
  fetch: async () =>
    new Response("a\r\n", { headers: { [ENGINE_HEADER]: String(PROTOCOL), "content-type": "text/csv" } }),
  askRunning: async () => undefined,
};
const counted = countBindings({ ENGINE: { getByName: () => engine } as never });

let team: TestTeam;
beforeAll(async () => {
  team = await newTeam();
});

/** The meter has a test of its own: what it is told of many requests comes with one of them. */
async function ask(key: string) {
  counted.take();
  const request = new Request("https://fjord.test/v1/query", {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json", accept: "text/csv" },
    body: JSON.stringify({ sql: "select 1" }),
  });
  const context = createExecutionContext();
  const response = await app.fetch(request, counted.bindings, context);
  expect(response.status).toBe(200);
  await response.text();
  await waitOnExecutionContext(context);
  const { calls, ...count } = counted.take();
  const { METER: _, ...others } = calls;
  return { ...count, calls: others };
}

describe("a statement on the team's lake", () => {
  it("looks up its key and its lake at first, and then neither", async () => {
    expect(await ask(team.admin.key)).toEqual(STATEMENT.first);
    expect(await ask(team.admin.key)).toEqual(STATEMENT.again);
    expect(await ask(team.member.key)).toEqual(STATEMENT.newKey);
    expect(await ask(team.member.key)).toEqual(STATEMENT.again);
  });

  it("of a caller whom roles bind looks up these as well, as long as a key is remembered", async () => {
    await addRole(team, [], [team.member.id]);
    const member = await team.newMember();
    expect(await ask(member.key)).toEqual(STATEMENT.boundFirst);
    // Roles that the catalog was told are looked up once more, by whoever comes next.
    await ask(member.key);
    expect(await ask(member.key)).toEqual(STATEMENT.again);
  });

  it("costs a call of the catalog for each thing that its engine asks", async () => {
    const lakeId = newId();
    const token: LakeToken = {
      use: "lake",
      teamId: team.id,
      lakeId,
      snapshotId: 0,
      reader: "everything",
      expiresAt: Date.now() + 60_000,
    };
    const asked = async (verb: string, body: object) => {
      counted.take();
      const answer = await post(`/lakes/${lakeId}/${verb}`, { token, body, bindings: counted.bindings });
      expect(answer.status).toBe(200);
      return counted.take();
    };
    await asked("describe", { names: ["t"] });
    for (const [verb, body] of Object.entries({ describe: {}, plan: { tableIds: [1] }, sign: { fileIds: [1] } }))
      expect(await asked(verb, body), verb).toEqual(LAKE_REQUEST);
  });
});
