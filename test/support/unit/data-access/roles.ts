// Roles of a test team.

import { env } from "cloudflare:workers";
import type { z } from "@hono/zod-openapi";
import { foldText } from "../../../../src/core/fold-name.ts";
import { newId } from "../../../../src/core/ids.ts";
import { Grant, keepGrant, namesAttributes } from "../../../../src/features/data-access/grant.ts";
import { forgetAccess } from "../../../../src/features/data-access/known-states.ts";
import { sha256Hex } from "../../../../src/platform/crypto/digest.ts";
import type { UserAttributes } from "../../../../src/platform/db/access-schema.ts";

type Team = { id: string };
export type NewGrant = z.input<typeof Grant>;

/** A role with these members; answers its id. */
export async function addRole(team: Team, grants: NewGrant[], userIds: string[], name = newId()): Promise<string> {
  const [id, at] = [newId(), new Date().toISOString()];
  const whole = grants.map((grant) => Grant.parse(grant));
  const kept = JSON.stringify(whole.map(keepGrant));
  await env.DB.batch([
    env.DB.prepare("insert into access_roles values (?1, ?2, ?3, ?4, null, ?5, ?6, ?7, ?8, ?9, ?9)").bind(
      id,
      team.id,
      name,
      foldText(name),
      kept,
      await sha256Hex(kept),
      kept.length,
      namesAttributes(whole) ? 1 : 0,
      at,
    ),
    ...userIds.map((userId) =>
      env.DB.prepare("insert into access_members values (?, ?, ?, ?)").bind(team.id, id, userId, at),
    ),
  ]);
  forgetAccess(team.id);
  return id;
}

export async function setAttributes(team: Team, userId: string, attributes: UserAttributes): Promise<void> {
  const text = JSON.stringify(attributes);
  await env.DB.prepare("insert or replace into user_attributes values (?, ?, ?, ?, ?)")
    .bind(userId, team.id, text, await sha256Hex(text), new Date().toISOString())
    .run();
  forgetAccess(team.id, userId);
}
