import { Problem } from "../../../core/problem.ts";
import { TEAM_LIMITS } from "../limits.ts";
import type { Needs } from "../../../clients/context.ts";
import { selectPeopleOf } from "../magic-links/store.ts";
import type { TeamChoice } from "../sessions/session.ts";
import { notSignedIn, type SignInRequest } from "../sign-in/open-session.ts";
import type { Proof } from "../sign-in/proof.ts";
import { readAssertion } from "./assertion.ts";

type Deps = Needs<"db" | "fetchPublic" | "settings">;

/**
 * Whom Cloudflare Access, in front of the platform, has let through: the user of the address, or, where several teams
 * have one, the choice of them until `teamId` names one. Throws 400 where the platform is not behind Access, 401 for
 * what is no assertion of it, and 403 for an address that is nobody's.
 */
export async function proveByAccess(
  ctx: Deps,
  teamId: string | undefined,
  { request, now }: SignInRequest,
): Promise<Proof | TeamChoice> {
  const { access } = ctx.settings;
  if (!access) throw new Problem("invalid_request", "This platform is not behind Cloudflare Access.");
  const email = await readAssertion(ctx, access, { request, now }).catch((cause: unknown) => {
    throw new Problem("source_unavailable", "Cloudflare Access does not say by which keys it signs.", [], { cause });
  });
  if (email === undefined) throw notSignedIn();
  const people = await selectPeopleOf(ctx.db, email, TEAM_LIMITS.teamsPerMailAddressMax);
  const meant = teamId === undefined ? people : people.filter((person) => person.teamId === teamId);
  const [person, ...others] = meant;
  if (!person) throw nobodyHere(email, teamId);
  if (others.length > 0)
    return { kind: "choose_team", teams: meant.map(({ teamId: id, teamName: name }) => ({ id, name })) };
  return { method: "access", teamId: person.teamId, userId: person.userId };
}

/** Whoever asks has shown that the address is theirs. */
const nobodyHere = (email: string, teamId: string | undefined): Problem =>
  new Problem(
    "forbidden_insufficient_permissions",
    `${email}, as whom Cloudflare Access has let you in, is no user of ${teamId === undefined ? "a" : "that"} team. Ask ` +
      "an admin of the team to add you, or sign in another way.",
  );
