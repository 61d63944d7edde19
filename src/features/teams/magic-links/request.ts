import { newId } from "../../../core/ids.ts";
import { TEAM_LIMITS } from "../limits.ts";
import type { Needs } from "../../../clients/context.ts";
import { requireMail } from "../../mail/send-mail.ts";
import { requireTry } from "../sign-in/tries/require-try.ts";
import { mintLink, type LinkRequest, type RequestedLink } from "./magic-link.ts";
import { signInMail } from "./sign-in-mail.ts";
import { insertLink, selectPeopleOf } from "./store.ts";

type Deps = Needs<"db" | "mail"> & { waitUntil(work: Promise<unknown>): void };
/** `origin` is where the console is, `callerAddress` where the request comes from. */
type Asking = { origin: string; callerAddress: string; now: Date };

const { linkAskMs: spanMs, linkAsksPerMailAddressMax, linkAsksPerCallerMax } = TEAM_LIMITS;

/**
 * Mails to an address a link into each team that it is a user's of. The answer is the same, and comes as soon, for an
 * address that nobody has: whether there is one is looked up after it. Throws 503 where no mail is set up, and 429 past
 * the bounds.
 */
export async function requestSignInLink(
  ctx: Deps,
  { email }: LinkRequest,
  { callerAddress, ...asking }: Asking,
): Promise<RequestedLink> {
  requireMail(ctx);
  const { now } = asking;
  await requireTry(ctx, { kind: "link from", of: callerAddress, spanMs, triesMax: linkAsksPerCallerMax, now });
  await requireTry(ctx, { kind: "link for", of: email, spanMs, triesMax: linkAsksPerMailAddressMax, now });
  ctx.waitUntil(
    mailLinks(ctx, email, asking).catch((error: unknown) =>
      console.error(JSON.stringify({ event: "sign_in_link_not_mailed", cause: String(error) })),
    ),
  );
  return { expires_in_seconds: TEAM_LIMITS.magicLinkMs / 1_000 };
}

/** The mail is the platform's: a stranger who asks uses up no team's mails of the day. */
async function mailLinks({ db, mail }: Deps, email: string, { origin, now }: Omit<Asking, "callerAddress">) {
  const people = await selectPeopleOf(db, email, TEAM_LIMITS.magicLinksPerMailMax);
  const minted = await Promise.all(
    people.map(async ({ teamName, ...person }) => ({ teamName, ...(await mintLink({ ...person, origin }, now)) })),
  );
  const [first, ...others] = minted.map(({ link }) => insertLink(db, link));
  if (!first) return;
  await db.batch([first, ...others]);
  await mail.send({ id: newId(now), at: now, to: email, ...signInMail(minted, minted[0]!.link.expiresAt) });
}
