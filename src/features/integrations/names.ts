// Names of integrations: one of each in a team, for scripts look integrations up by them.

import { INTEGRATION_LIMITS } from "./limits.ts";
import { LIMITS } from "../../core/limits.ts";
import { Problem } from "../../core/problem.ts";
import type { Needs } from "../../clients/context.ts";
import { isNameTaken } from "./store.ts";

const TRIES = 3;

/** `id`: of the integration that is to have it. */
export async function requireFreeName({ scope, db }: Needs<"scope" | "db">, name: string, id?: string): Promise<void> {
  if (await isNameTaken(db, scope.teamId, name, id)) throw nameTaken(name);
}

/**
 * Stores an integration under the name that was given, or under the first free one after `byDefault`: with a number
 * behind it.
 * Throws `resource_conflict` where the given one is another integration's, also where that came at the same moment.
 */
export async function underFreeName<T>(
  ctx: Needs<"scope" | "db">,
  given: string | null | undefined,
  byDefault: string,
  store: (name: string) => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    const name = given ?? (await findFree(ctx, byDefault));
    try {
      return await store(name);
    } catch (error) {
      if (!(await isNameTaken(ctx.db, ctx.scope.teamId, name))) throw error;
      if (given != null || tries === TRIES) throw nameTaken(name);
    }
  }
}

async function findFree({ scope, db }: Needs<"scope" | "db">, name: string): Promise<string> {
  for (let number = 1; number <= INTEGRATION_LIMITS.perTeamMax; number++) {
    const suffix = number === 1 ? "" : ` (${number})`;
    const candidate = name.slice(0, LIMITS.nameCharactersMax - suffix.length) + suffix;
    if (!(await isNameTaken(db, scope.teamId, candidate))) return candidate;
  }
  throw nameTaken(name);
}

function nameTaken(name: string): Problem {
  const message =
    `The team has an integration called ${name} already. Choose another name; the case ` +
    "of letters makes no difference.";
  return new Problem("resource_conflict", message, [{ pointer: "/name", message }]);
}
