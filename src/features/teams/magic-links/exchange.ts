import { Problem } from "../../../core/problem.ts";
import { TEAM_LIMITS } from "../../../core/teams/limits.ts";
import type { Needs } from "../../../clients/context.ts";
import { recordAuditIf } from "../../../platform/db/audit.ts";
import { auditedKey, hashSuffix, mintKey } from "../keys/key.ts";
import { SIGN_IN_KEY_NAME, type SignedIn } from "./magic-link.ts";
import { findLiveLink, insertKeyIf, isUsedFor, useLinkRow } from "./store.ts";

/** Throws 404, as {@link exchangeMagicLink}, for a link that signs nobody in; changes nothing. */
export async function requireMagicLink({ db }: Needs<"db">, token: string, now: Date): Promise<void> {
  if (!(await findLiveLink(db, await hashSuffix(token), now.toISOString()))) throw worksNoMore();
}

type Use = { token: string; requestId: string; now: Date };

/**
 * Makes of a link, once, a key of the admin it was made for. Throws 404 in the same words whatever is the matter: it is
 * none, was used, ended, or its admin is gone or one no more.
 */
export async function exchangeMagicLink({ db }: Needs<"db">, { token, requestId, now }: Use): Promise<SignedIn> {
  const at = now.toISOString();
  const link = await findLiveLink(db, await hashSuffix(token), at);
  if (!link) throw worksNoMore();
  const { id, team, user } = link;
  const expiresAt = new Date(now.getTime() + TEAM_LIMITS.signInKeyMs).toISOString();
  const { minted, suffixHash } = await mintKey(now, user.id, { name: SIGN_IN_KEY_NAME, expires_at: expiresAt });
  const use = { id, teamId: team.id, userId: user.id, keyId: minted.id, at };
  // Where two confirm at once, one binds the link to its key; the other's key is not written.
  const [used] = await db.batch([
    useLinkRow(db, use),
    insertKeyIf(db, team.id, { userId: user.id, key: minted, suffixHash }, isUsedFor(use)),
    recordAuditIf(
      db,
      { teamId: team.id, userId: user.id, now, keyId: minted.id, requestId },
      { action: "magic_link.use", subjectId: id, when: isUsedFor(use), after: auditedKey(user.id, minted) },
    ),
  ]);
  if (used.length === 0) throw worksNoMore();
  return { team, user, api_key: minted };
}

const worksNoMore = (): Problem =>
  new Problem("resource_not_found", "This link does not work, or no longer. Ask for a new one.");
