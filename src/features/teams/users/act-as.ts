import { rightsOf, type Scope } from "../../../core/scope.ts";
import type { Needs, OfTeam } from "../../../platform/context.ts";
import { findPerson } from "../store.ts";

/**
 * The scope of a person of the team for work that has their rights without a request of theirs; undefined once they are
 * gone. `requestId` names the work.
 */
export async function actAs(
  { scope: { teamId }, db }: Needs<"db"> & OfTeam,
  userId: string,
  { requestId, now }: Pick<Scope, "requestId" | "now">,
): Promise<Scope | undefined> {
  const person = await findPerson(db, teamId, userId);
  return person && { ...person, keyId: requestId, requestId, now, rights: rightsOf(person.role, person.isOperator) };
}
