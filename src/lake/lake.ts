// A lake as the rest of the Worker sees it: its catalog, and the permission to read it that a query carries.

import type { AccessRoles } from "../../kernel/access/access.ts";
import type { LakeGrant } from "../../kernel/wire/engine.ts";
import type { Tokens, WriteClaim } from "../platform/crypto/token.ts";
import type { ReaderName } from "./access/readers.ts";
import type { CatalogObject } from "./catalog/catalog-object.ts";

export { lakeAddress, lakePrefix } from "./format/names.ts";

/** How much longer a token lives than the statement it serves: the clocks of Workers differ. */
const TOKEN_SLACK_MS = 60_000;

/**
 * What a caller may read of a lake: all, or what the roles of a digest grant. These are asked for where the lake does
 * not know them, and may have become those of another digest since.
 */
export type LakeAccess =
  | { kind: "all" }
  | { kind: "roles"; digest: string; loadRoles: () => Promise<{ digest: string; roles: AccessRoles }> };

/** A lake for one reader, at its newest snapshot. */
export type LakeReader = { snapshotId: number; reader: ReaderName };

export async function openReader(lake: Lake, access: LakeAccess): Promise<LakeReader> {
  if (access.kind === "all") return { ...(await lake.currentSnapshot()), reader: "everything" };
  const { snapshotId, isKnown } = await lake.openReader(access.digest);
  if (isKnown) return { snapshotId, reader: access.digest };
  const { digest, roles } = await access.loadRoles();
  await lake.keepAccess(digest, roles);
  return { snapshotId, reader: digest };
}

/** The lake may be gone by now: its reader is undefined where it is, or where a second call would be needed. */
export async function peekReader(lake: Lake, access: LakeAccess): Promise<LakeReader | undefined> {
  const reader = access.kind === "all" ? "everything" : access.digest;
  const peeked = await lake.peekReader(reader);
  return peeked?.isKnown ? { snapshotId: peeked.snapshotId, reader } : undefined;
}

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

/** `writes`: the statement may write as well. `isDriveClosed`: it may read nothing of the drive. */
type GrantTerms = Lifetime & { writes?: WriteClaim | undefined; isDriveClosed?: true | undefined };

const expiryOf = ({ deadlineMs, now }: Lifetime): number => now.getTime() + deadlineMs + TOKEN_SLACK_MS;

/** Permission to read a lake, as it is now and was, for as long as a statement may run. */
export const grantLake = async (
  deps: GrantDeps,
  lake: LakeName,
  access: LakeAccess,
  terms: GrantTerms,
): Promise<LakeGrant> => grantReader(deps, lake, await openReader(deps.openLake(lake.lakeId), access), terms);

/** Permission for a reader who has opened the lake. */
export async function grantReader(
  { tokens }: Pick<GrantDeps, "tokens">,
  { teamId, lakeId }: LakeName,
  { snapshotId, reader }: LakeReader,
  { writes, isDriveClosed, ...lifetime }: GrantTerms,
): Promise<LakeGrant> {
  const claim = {
    teamId,
    lakeId,
    snapshotId,
    reader,
    ...(writes && { writes }),
    ...(isDriveClosed && { isDriveClosed }),
  };
  const token = await tokens.mint({ use: "lake", ...claim, expiresAt: expiryOf(lifetime) });
  return { teamId, lakeId, snapshotId, token, reader, ...(!writes && { isReadOnly: true }) };
}

/** Permission to read the rows of the lake's catalog itself, whoever may read which of its tables. */
export async function grantExport(
  { tokens, openLake }: GrantDeps,
  { teamId, lakeId }: LakeName,
  lifetime: Lifetime,
): Promise<LakeGrant> {
  const { snapshotId } = await openLake(lakeId).currentSnapshot();
  const token = await tokens.mint({ use: "export", teamId, lakeId, snapshotId, expiresAt: expiryOf(lifetime) });
  return { teamId, lakeId, snapshotId, token };
}
