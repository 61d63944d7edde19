import type { BatchItem } from "drizzle-orm/batch";
import type { Needs } from "../../../clients/context.ts";
import { recordAuditIf, type AuditScope } from "../../../platform/db/audit.ts";
import type { Db } from "../../../platform/db/client.ts";
import { hashSuffix } from "../keys/key.ts";
import { findLiveLink, isLiveLink, isUsedFor, useLinkRow, type Link, type LinkUse } from "../magic-links/store.ts";
import { notSignedIn } from "./open-session.ts";
import type { Proof } from "./proof.ts";

/** Whom a link signs in, once. Throws as {@link requireLiveLink} does. */
export async function proveByLink(ctx: Needs<"db">, token: string, now: Date): Promise<Proof> {
  const at = now.toISOString();
  const link = await requireLiveLink(ctx, token, at);
  const { db } = ctx;
  const { id, teamId, userId } = link;
  return {
    method: "link",
    teamId,
    userId,
    // Where two confirm at once, one finds the link unused; the other's session is not written.
    when: isLiveLink(link, at),
    spend: (session, audit) => useLinkStatements(db, { id, teamId, sessionId: session.id }, audit),
  };
}

/**
 * The link, which is as unused as before. Throws 401 in the same words whatever is the matter: it is none, was used,
 * has ended, or its user is gone.
 */
export async function requireLiveLink({ db }: Needs<"db">, token: string, at: string): Promise<Link> {
  const link = await findLiveLink(db, await hashSuffix(token), at);
  if (!link) throw notSignedIn();
  return link;
}

const useLinkStatements = (db: Db, use: LinkUse, audit: AuditScope): BatchItem<"sqlite">[] => [
  useLinkRow(db, use),
  recordAuditIf(db, audit, {
    action: "magic_link.use",
    subjectId: use.id,
    when: isUsedFor(use),
    after: { user_id: audit.userId, session_id: use.sessionId },
  }),
];
