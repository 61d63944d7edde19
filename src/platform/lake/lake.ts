// A lake as the rest of the Worker sees it: its catalog, and the permission to read it that a query carries.

import type { LakeGrant } from "../../../containers/engine/contract/protocol.ts";
import type { Tokens, WriterToken } from "../crypto/token.ts";
import type { CatalogObject } from "./catalog/catalog-object.ts";

export { lakeAddress, lakePrefix } from "./names.ts";

/** How much longer a token lives than the statement it serves: the clocks of Workers differ. */
const TOKEN_SLACK_MS = 60_000;

/**
 * Every caller of a team reads every table of its lakes, so the engine may answer one from what it learnt for another.
 */
const WHOLE_LAKE = "whole lake";

/** The lease of whatever maintains a lake: one job at a time. */
export const MAINTENANCE_LEASE = "maintenance";

/** A lake's catalog. */
export type Lake = DurableObjectStub<CatalogObject>;

/** The catalog lays itself out on first use. */
export const openLake = (env: Pick<Env, "CATALOG">, lakeId: string): Lake =>
  env.CATALOG.get(env.CATALOG.idFromName(lakeId));

/** What a grant is minted with: the clients of the platform, or a context that has them. */
type GrantDeps = { tokens: Tokens; openLake: (lakeId: string) => Lake };
export type LakeName = { teamId: string; lakeId: string };
/** How long a statement may run from `now` on. */
type Lifetime = { deadlineMs: number; now: Date };

const expiryOf = ({ deadlineMs, now }: Lifetime): number => now.getTime() + deadlineMs + TOKEN_SLACK_MS;

/** Permission for one statement to write to a lake, for as long as it may run. */
export const grantWriter = (
  { tokens }: Pick<GrantDeps, "tokens">,
  statement: Omit<WriterToken, "use" | "expiresAt">,
  lifetime: Lifetime,
): Promise<string> => tokens.mint({ use: "writer", ...statement, expiresAt: expiryOf(lifetime) });

/**
 * Permission to read a lake, as it is now, for as long as a statement may run; with `use` "export", to read its
 * catalog's own rows.
 */
export async function grantLake(
  { tokens, openLake }: GrantDeps,
  { teamId, lakeId }: LakeName,
  lifetime: Lifetime,
  use: "lake" | "export" = "lake",
): Promise<LakeGrant> {
  const { snapshotId } = await openLake(lakeId).currentSnapshot();
  const token = await tokens.mint({ use, teamId, lakeId, snapshotId, expiresAt: expiryOf(lifetime) });
  return { teamId, lakeId, snapshotId, token, scope: WHOLE_LAKE };
}
