// A caller's access to an integration, as data. The engine and the lakes' catalogs decide by it, table by table.

import { EVERY, type AccessGrant, type AccessRoles } from "../../../kernel/access/access.ts";
import { sha256Hex } from "../../platform/crypto/digest.ts";
import { fillIn } from "./fill-in.ts";
import { forgetAccess, getAccessState, holderOf, type AccessDeps } from "./known-states.ts";
import { findAccessContent, findAccessState, type AccessState } from "./store.ts";

/** `all`: whatever is there. `roles`: what the roles of this digest grant, and nothing where they are none. */
export type Access = { kind: "all" } | { kind: "roles"; digest: string; loadRoles(): Promise<LoadedRoles> };

/**
 * The roles of a digest. It is that of the moment they were read, and may not be the one that was asked for: the roles
 * can have changed since.
 */
export type LoadedRoles = { digest: string; roles: AccessRoles };

/** Raised whenever equal roles come to mean something else: then nobody knows them any more. */
const DECISION = 1;

const EVERYTHING: AccessGrant = { schema: EVERY, table: EVERY, excludes: [], masks: {}, filters: [] };

/**
 * Admins may read everything, and so may all in a team without roles. Equal digests mean equal access: they name the
 * content of roles and attributes, so nobody who keeps roles by digest ever has to be told of a change.
 */
export async function resolveAccess({ scope, db }: AccessDeps, { id: integrationId }: { id: string }): Promise<Access> {
  if (scope.role === "admin") return { kind: "all" };
  const state = await getAccessState({ scope, db });
  if (state.isOpen) return { kind: "all" };
  return {
    kind: "roles",
    digest: await digestOf(state, integrationId),
    loadRoles: () => loadRoles({ scope, db }, integrationId),
  };
}

/**
 * The digest of what somebody may read in all integrations, as the database says at this moment; null is everything.
 * Output that was made with it, and is kept, is refused to its maker once the digest is another.
 */
export async function findAccessDigest({ scope, db }: AccessDeps): Promise<string | null> {
  if (scope.role === "admin") return null;
  const state = await findAccessState(db, scope);
  return state.isOpen ? null : digestOf(state, EVERY);
}

async function loadRoles({ scope, db }: AccessDeps, integrationId: string): Promise<LoadedRoles> {
  const { state, roles, attributes } = await findAccessContent(db, scope, integrationId);
  const digest = await digestOf(state, integrationId);
  // An isolate that kept an older state would ask for the new roles with each statement.
  forgetAccess(scope.teamId, holderOf(scope));
  return { digest, roles: state.isOpen ? [[EVERYTHING]] : fillIn(roles, integrationId, attributes) };
}

const digestOf = (
  { isOpen, grants, namesAttributes, attributes }: AccessState,
  integrationId: string,
): Promise<string> =>
  sha256Hex(JSON.stringify([DECISION, integrationId, isOpen, grants, namesAttributes ? attributes : null]));
