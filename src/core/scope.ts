// Who is asking, for which team, with which rights.

/** What a caller may do, in the order of the table in README.md. */
export const RIGHTS = [
  "query",
  "catalog:read",
  "integrations:read",
  "drive",
  "integrations:write",
  "lake:write",
  "team:manage",
  "platform:operate",
] as const;
export type Right = (typeof RIGHTS)[number];

export const ROLES = ["member", "admin"] as const;
export type Role = (typeof ROLES)[number];

const MEMBER: Right[] = ["query", "catalog:read", "integrations:read", "drive"];
const ADMIN: Right[] = [...MEMBER, "integrations:write", "lake:write", "team:manage"];

/** The rights of a team role; a platform operator holds one more. */
export function rightsOf(role: Role, isOperator: boolean): readonly Right[] {
  const rights = role === "admin" ? ADMIN : MEMBER;
  return isOperator ? [...rights, "platform:operate"] : rights;
}

/** The holder of a key. */
export type Caller = {
  teamId: string;
  teamName: string;
  userId: string;
  userName: string;
  email: string;
  keyId: string;
  role: Role;
  isOperator: boolean;
};

export type Scope = Caller & {
  rights: readonly Right[];
  requestId: string;
  /** The instant the request arrived; domain code never reads the clock itself. */
  now: Date;
};
