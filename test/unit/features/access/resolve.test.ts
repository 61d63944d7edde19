import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { newId } from "../../../../src/core/ids.ts";
import { ACCESS_LIMITS } from "../../../../src/features/access/limits.ts";
import { resolveAccess, type Access } from "../../../../src/features/access/resolve.ts";
import type { AccessDeps } from "../../../../src/features/access/known-states.ts";
import { openDb } from "../../../../src/platform/db/client.ts";
import { addLake, addRole, setAttributes } from "../../../support/unit/data-access/roles.ts";
import { newTeam, type TestTeam } from "../../../support/unit/team.ts";

const db = openDb(env.DB);
let team: TestTeam;
let one: string;
let other: string;
beforeEach(async () => {
  team = await newTeam();
  [one, other] = [await addLake(team), await addLake(team)];
});

type Asking = Partial<AccessDeps["scope"]>;
const resolve = (scope: Asking = {}, id = one): Promise<Access> =>
  resolveAccess(
    { db, scope: { teamId: team.id, userId: team.member.id, role: "member", now: new Date(), ...scope } as never },
    { id },
  );

async function digest(scope: Asking = {}, id = one): Promise<string> {
  const access = await resolve(scope, id);
  if (access.kind === "all") throw new Error("Not restricted.");
  return access.digest;
}

async function load(scope: Asking = {}, id = one) {
  const access = await resolve(scope, id);
  if (access.kind === "all") throw new Error("Not restricted.");
  return (await access.loadRoles()).roles;
}

const ALL = { kind: "all" };
const plain = { schema: "s", table: "*", excludes: [], masks: {}, filters: [] };

describe("a caller's access", () => {
  it("is whole in a team without roles, and for admins, whoever has roles", async () => {
    expect(await resolve()).toEqual(ALL);
    await addRole(team, [{ integration_id: "*", schema: "s" }], [team.admin.id]);
    expect(await resolve({ role: "admin", userId: team.admin.id })).toEqual(ALL);
  });

  it("is nothing from the team's first role on for who has none, not even another team's", async () => {
    const strangers = await newTeam();
    await addRole(strangers, [{ integration_id: "*", schema: "*" }], [strangers.member.id]);
    expect(await resolve()).toEqual(ALL);
    await addRole(team, [{ integration_id: "*", schema: "*" }], []);
    expect(await load()).toEqual([]);
    expect(await load({ userId: newId() })).toEqual([]);
    expect(await load({ userId: strangers.member.id })).toEqual([]);
  });

  it("holds the grants of its integration, what names it last, and nothing of another", async () => {
    const grants = [
      { integration_id: one, schema: "s" },
      { integration_id: other, schema: "hidden" },
      { integration_id: "*", schema: "s", exclude_columns: ["c"] },
    ];
    await addRole(team, grants, [team.member.id]);
    expect(await load()).toEqual([[{ ...plain, excludes: ["c"] }, plain]]);
    expect(await load({}, newId())).toEqual([[{ ...plain, excludes: ["c"] }]]);
  });

  it("has all values of an attribute, and no rows where it is not set, is empty, or is nobody's", async () => {
    const filters = [
      { or: [{ member: "r", operator: "equals" as const, values: [{ attribute: "toString" }, 7, true, null] }] },
    ];
    await addRole(team, [{ integration_id: "*", schema: "s", filters }], [team.member.id]);
    const rows = async () => (await load())[0]![0]!.filters;
    expect(await rows()).toBeNull();
    await setAttributes(team, team.member.id, { toString: [] });
    expect(await rows()).toBeNull();
    await setAttributes(team, team.member.id, { toString: "" });
    expect(await rows()).toBeNull();
    await setAttributes(team, team.member.id, { toString: ["north", "south"] });
    expect(await rows()).toEqual([
      { or: [{ member: "r", operator: "equals", values: ["north", "south", "7", "true", null] }] },
    ]);
  });
});

describe("attributes of many values, named often", () => {
  it("are refused in words before they fill the memory", async () => {
    const filters = Array.from({ length: 100 }, () => ({
      member: "r",
      operator: "equals" as const,
      values: [{ attribute: "many" }],
    }));
    await addRole(team, [{ integration_id: "*", schema: "s", filters }], [team.member.id]);
    await setAttributes(team, team.member.id, { many: Array.from({ length: 15 }, () => "x".repeat(4_000)) });
    await expect(load()).rejects.toMatchObject({ code: "business_quota_exceeded" });
  });
});

describe("a digest", () => {
  it("is one for equal roles of whoever, and another for another integration, role or attribute that counts", async () => {
    const [first, second] = [team.member.id, (await team.newMember()).id];
    await addRole(team, [{ integration_id: "*", schema: "s" }], [first]);
    await addRole(team, [{ integration_id: "*", schema: "s" }], [second]);
    const of = (userId: string) => digest({ userId });
    expect(await of(first)).toBe(await of(second));
    expect(await digest({}, other)).not.toBe(await of(first));
    await setAttributes(team, first, { region: "north" });
    expect(await of(first)).toBe(await of(second));

    const filters = [{ member: "r", operator: "equals" as const, values: [{ attribute: "region" }] }];
    await addRole(team, [{ integration_id: "*", schema: "t", filters }], [first, second]);
    expect(await of(first)).not.toBe(await of(second));
    await setAttributes(team, second, { region: "north" });
    expect(await of(first)).toBe(await of(second));
  });

  it("comes with the roles that it names, also where they change between the two", async () => {
    const role = await addRole(team, [{ integration_id: "*", schema: "s" }], [team.member.id]);
    const before = await resolve();
    await env.DB.prepare("delete from access_roles where id = ?").bind(role).run();
    await addRole(team, [{ integration_id: "*", schema: "t" }], [team.member.id]);
    if (before.kind === "all") throw new Error("Not restricted.");
    const loaded = await before.loadRoles();
    expect(loaded).toEqual({ digest: await digest(), roles: [[{ ...plain, schema: "t" }]] });
    expect(loaded.digest).not.toBe(before.digest);
  });

  it("is read anew for a run, and by others after a while", async () => {
    await addRole(team, [{ integration_id: "*", schema: "s" }], [team.member.id]);
    const now = new Date();
    const before = await digest({ now });
    await env.DB.prepare("update access_roles set grants_digest = 'changed elsewhere' where team_id = ?")
      .bind(team.id)
      .run();
    expect(await digest({ now })).toBe(before);
    expect(await digest({ now, runId: newId() })).not.toBe(before);
    expect(await digest({ now })).toBe(before);
    expect(await digest({ now: new Date(now.getTime() + ACCESS_LIMITS.cacheMs) })).not.toBe(before);
  });
});
