// A published endpoint, and an engine that answers what a test says.

import { expect } from "vitest";
import { ENGINE_HEADER, PROTOCOL } from "../../../../kernel/wire/engine-program.ts";
import { StatementRequest } from "../../../../kernel/wire/engine.ts";
import { addRole } from "../data-access/roles.ts";
import { call } from "../http.ts";
import type { TestTeam } from "../team.ts";

export const ETAG = 'W/"of-the-versions"';
export const GRANTS = [{ integration_id: "*", schema: "sales", table: "orders", exclude_columns: ["email"] }];

/** Answers every statement with one row and a tag, and 304 to who has the tag. */
export function taggingEngine() {
  const sent: StatementRequest[] = [];
  const fetch = async (...request: ConstructorParameters<typeof Request>) => {
    const statement = StatementRequest.parse(await new Request(...request).json());
    sent.push(statement);
    const isKnown = statement.ifNoneMatch?.includes(ETAG);
    const headers = {
      [ENGINE_HEADER]: String(PROTOCOL),
      "content-type": "application/json",
      ...(statement.ifNoneMatch && { etag: ETAG }),
      "cache-status": "Fjord; hit",
    };
    const body = {
      columns: ["one"],
      types: [],
      data: [{ one: 1 }],
      rowCount: 1,
      truncated: false,
      timing: { durationMs: 1 },
      meta: { requestId: statement.id, durationMs: 1 },
      success: true,
    };
    return isKnown ? new Response(null, { status: 304, headers }) : Response.json(body, { headers });
  };
  const object = { fetch, askOfStatement: async () => undefined };
  return { sent, bindings: { ENGINE: { getByName: () => object } } as never };
}

export type Published = {
  team: TestTeam;
  id: string;
  name: string;
  roleId: string;
  queryId: string;
  key: string;
  keyId: string;
};

const PARAMETERS = {
  country: { type: "text", allowed_values: ["NO", "SE"] },
  ids: { type: "integer", list: true, default: [1] },
};
export const SQL = "SELECT * FROM orders WHERE country = $country AND id IN ($ids)";

export async function publish(team: TestTeam, more: object = {}, name = "orders"): Promise<Published> {
  const { key } = team.admin;
  const made = async (path: string, body: object) => {
    const answer = await call("POST", path, { key, body });
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    return answer.body.data;
  };
  const queryId = (await made("/v4/queries", { name: "Orders", sql: SQL, parameters: PARAMETERS })).id;
  const roleId = await addRole(team, GRANTS, []);
  const { id } = await made("/v4/endpoints", { name, query_id: queryId, role_id: roleId, ...more });
  const minted = await made(`/v4/endpoints/${id}/keys`, { name: "Shop" });
  return { team, id, name, roleId, queryId, key: minted.key, keyId: minted.id };
}

export const inSeconds = (seconds: number) => Math.floor(Date.now() / 1_000) + seconds;
export const claimsOf = ({ id }: Published, more: object = {}) => ({
  sub: id,
  aud: "fjord",
  exp: inSeconds(600),
  ...more,
});
