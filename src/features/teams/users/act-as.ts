import { rightsOf, type Scope } from "../../../core/scope.ts";
import type { Needs, OfTeam } from "../../../clients/context.ts";
import { findOperator, findPerson } from "../store-callers.ts";

/**
 * The scope of a person of the team for work that has their rights without a request of theirs; undefined once they are
 * gone. `requestId` names the work.
 */
export async function actAs(
  { scope: { teamId }, db }: Needs<"db"> & OfTeam,
  userId: string,
  { requestId, now }: Pick<Scope, "requestId" | "now">,
): Promise<Scope | undefined> {
  return scopeOf(await findPerson(db, teamId, userId), { requestId, now });
}

/**
 * The scope of an operator of the platform, who is in a team of their own, for such work in another team; undefined
 * once they are none. It is for work that operators do in every team, and for none else.
 */
export async function actAsOperator(
  { db }: Needs<"db">,
  userId: string,
  work: Pick<Scope, "requestId" | "now">,
): Promise<Scope | undefined> {
  return scopeOf(await findOperator(db, userId), work);
}

const scopeOf = (
  person: Awaited<ReturnType<typeof findPerson>>,
  { requestId, now }: Pick<Scope, "requestId" | "now">,
): Scope | undefined =>
  person && { ...person, keyId: "", requestId, now, rights: rightsOf(person.role, person.isOperator) };
