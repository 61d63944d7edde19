// Roles of a test team, made through the API as an admin would.

import type { z } from "@hono/zod-openapi";
import { expect } from "vitest";
import type { Grant } from "../../../../src/features/access/grant.ts";
import type { UserAttributes } from "../../../../src/platform/db/schema/access-schema.ts";
import { call } from "../http.ts";
import type { TestTeam } from "../team.ts";

type Team = Pick<TestTeam, "admin">;
export type NewGrant = z.input<typeof Grant>;

/** A role with these members; answers its id. */
export async function addRole(
  team: Team,
  grants: NewGrant[],
  userIds: string[],
  name: string = crypto.randomUUID(),
): Promise<string> {
  const { status, body } = await call("POST", "/v4/data-access/roles", { key: team.admin.key, body: { name, grants } });
  expect(status, body.message).toBe(201);
  for (const userId of userIds) await addMember(team, body.data.id, userId);
  return body.data.id;
}

export async function addMember(team: Team, roleId: string, userId: string): Promise<void> {
  const path = `/v4/data-access/roles/${roleId}/members/${userId}`;
  expect((await call("PUT", path, { key: team.admin.key })).status).toBe(204);
}

export async function setAttributes(team: Team, userId: string, attributes: UserAttributes): Promise<void> {
  const path = `/v4/data-access/users/${userId}/attributes`;
  const { status, body } = await call("PUT", path, { key: team.admin.key, body: { attributes } });
  expect(status, body.message).toBe(200);
}

/** Besides the team's own. */
export async function addLake({ admin }: Team): Promise<string> {
  const { status, body } = await call("POST", "/v1/api/integrations", { key: admin.key, body: { type: "lake" } });
  expect(status).toBe(201);
  return body.integration.id;
}
