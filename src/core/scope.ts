// A scope says who is asking, for which team, with which rights.

import type { TeamPlan } from "./teams/plans.ts";

/** What a caller may do, in the order of the table in docs/access.md. */
export const RIGHTS = [
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
  "docs:write",
  "secrets:write",
  "integrations:write",
  "lake:write",
  "lake:manage",
  "jobs:write",
  "queries:manage",
  "endpoints:manage",
  "team:manage",
  "platform:operate",
] as const;
export type Right = (typeof RIGHTS)[number];

export const ROLES = ["member", "admin"] as const;
export type Role = (typeof ROLES)[number];

const MEMBER: Right[] = [
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
];
const ADMIN: Right[] = [
  ...MEMBER,
  "docs:write",
  "secrets:write",
  "integrations:write",
  "lake:write",
  "lake:manage",
  "jobs:write",
  "queries:manage",
  "endpoints:manage",
  "team:manage",
];

/** What a platform operator holds besides, whatever the role in the own team. */
const OPERATOR: Right[] = ["lake:manage", "platform:operate"];

const operating = (rights: readonly Right[]): readonly Right[] => [...new Set([...rights, ...OPERATOR])];

const RIGHTS_OF: Record<Role, readonly Right[]> = { member: MEMBER, admin: ADMIN };
const RIGHTS_OF_OPERATOR: Record<Role, readonly Right[]> = { member: operating(MEMBER), admin: operating(ADMIN) };

/** The rights of a team role, and of a platform operator. */
export const rightsOf = (role: Role, isOperator: boolean): readonly Right[] =>
  (isOperator ? RIGHTS_OF_OPERATOR : RIGHTS_OF)[role];

/**
 * What no run may, whoever started it: see or mint what opens doors, start further runs, which nobody would end, see or
 * plan those of automations, maintain lakes, and write docs and saved queries, or publish these. A doc is code that
 * runs again with the rights of whoever starts it, and its webhook secret says who that may be: a dataset that could
 * write one would outlive its run. A saved query runs again with the rights of whoever reads it.
 */
const DENIED_TO_RUNS: readonly Right[] = [
  "integrations:write",
  "lake:manage",
  "team:manage",
  "platform:operate",
  "docs:run",
  "docs:write",
  "jobs:read",
  "jobs:write",
  "queries:write",
  "queries:manage",
  "endpoints:manage",
];

/**
 * A run has the rights that who started it has now, less {@link DENIED_TO_RUNS}; a key with scopes those of its user
 * that are among them; a key of one lake's Iceberg catalog has none.
 */
export function rightsOfCaller({
  role,
  isOperator,
  runId,
  scopes,
  icebergLakeId,
}: Pick<Caller, "role" | "isOperator" | "runId" | "scopes" | "icebergLakeId">): readonly Right[] {
  if (icebergLakeId !== undefined) return [];
  const rights = rightsOf(role, isOperator);
  if (runId !== undefined) return rights.filter((right) => !DENIED_TO_RUNS.includes(right));
  return scopes === undefined ? rights : rights.filter((right) => scopes.includes(right));
}

/** The scope of statements that only read, whatever else their sender may. */
export const readingOnly = (scope: Scope): Scope => ({
  ...scope,
  rights: scope.rights.filter((right) => right !== "lake:write"),
});

/** Whether the caller looks after every team. */
export const isOperating = ({ rights }: Pick<Scope, "rights">): boolean => rights.includes("platform:operate");

/** The holder of a key, or of a session. */
export type Caller = {
  teamId: string;
  teamName: string;
  /** The team's. */
  plan: TeamPlan;
  userId: string;
  userName: string;
  email: string;
  /**
   * The key's id, or that of the session where it was made by no key. Empty for work that has somebody's rights without
   * a request of theirs.
   */
  keyId: string;
  role: Role;
  isOperator: boolean;
  /** Id of the run whose key this is; absent for a person's own key. */
  runId?: string;
  /** The session that the call came in; absent for a key that was sent itself. */
  sessionId?: string;
  /** What a person's key, or a session that was made by it, may use of their rights; absent: all of them. */
  scopes?: readonly Right[];
  /** The one lake whose tables the caller reads by its Iceberg catalog, doing nothing else; absent: no such bound. */
  icebergLakeId?: string;
  /** The one data-access role that binds a caller who is no user; absent: the user's own roles do. */
  accessRoleId?: string;
};

export type Scope = Caller & {
  rights: readonly Right[];
  requestId: string;
  /** The instant the request arrived; domain code never reads the clock itself. */
  now: Date;
  /** Whether an operator does it to a team that is not their own. */
  byOperator?: boolean;
};

/** An operator's scope in the team whose things they work on; what is audited there says so. */
export const scopeIn = (scope: Scope, teamId: string): Scope =>
  teamId === scope.teamId ? scope : { ...scope, teamId, byOperator: true };
