import { notFound, Problem } from "../../../core/problem.ts";
import { rightsOf, scopeIn } from "../../../core/scope.ts";
import type { Needs } from "../../../clients/context.ts";
import { recordAuditIf } from "../../../platform/db/audit.ts";
import { getTeam } from "../get.ts";
import { sendMail } from "../../mail/send-mail.ts";
import { signInMail } from "./sign-in-mail.ts";
import { mintLink, type MagicLink, type NewMagicLink } from "./magic-link.ts";
import { endOtherLinks, findFirstAdmin, hasLink, insertLink } from "./store.ts";

type Wish = NewMagicLink & { origin: string };

/**
 * A link that signs in as the team's first admin, for an operator to hand on; mailed to that admin, too, where that is
 * asked for and mail is set up. It ends those of the admin that were made before. `origin` is where the console is.
 * Throws 404 also where the team has no admin.
 */
export async function createMagicLink(
  ctx: Needs<"scope" | "db" | "mail">,
  teamId: string,
  { origin, mail: isMailWanted }: Wish,
): Promise<MagicLink> {
  const { scope, db } = ctx;
  const team = await getTeam({ db }, teamId);
  const admin = await findFirstAdmin(db, teamId);
  if (!admin) throw notFound("An admin of team", teamId);
  // A key with scopes opens no way to what it may not do itself: of operators there is more than a team's.
  if (admin.isOperator && !rightsOf("admin", true).every((right) => scope.rights.includes(right)))
    throw new Problem(
      "forbidden_insufficient_permissions",
      "This team's first admin is an operator of the platform: only a key with all of an operator's rights makes a link.",
    );

  const { link, url } = await mintLink({ teamId, userId: admin.id, origin }, scope.now);
  const [, inserted] = await db.batch([
    endOtherLinks(db, link),
    insertLink(db, link),
    recordAuditIf(db, scopeIn(scope, teamId), {
      action: "magic_link.create",
      subjectId: link.id,
      when: hasLink(link),
      after: { user_id: admin.id, expires_at: link.expiresAt },
    }),
  ]);
  if (inserted.length === 0) throw notFound("An admin of team", teamId);
  const { id, name, email } = admin;
  const made = { url, expires_at: link.expiresAt, user: { id, name, email } };
  if (!isMailWanted || ctx.mail.kind === "none") return { ...made, mailed: false };
  const mail = { id: link.id, at: scope.now, to: email, ...signInMail([{ teamName: team.name, url }], link.expiresAt) };
  return { ...made, mailed: (await sendMail(ctx, teamId, mail)).kind === "sent" };
}
