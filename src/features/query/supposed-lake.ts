// The lake that a statement is probably for, opened while the database is asked whether it is.
//
// What a statement names is a guess, an id by what was asked for last time: it saves a round trip where it is right and
// decides nothing. A team's own lake, where a statement names none, is no guess: it is made with the team and stays as
// long as the team, so that the database is asked for it once in a while. Whether a lake is there, and what its reader
// may see, is read for each statement.

import { INTEGRATION_LIMITS } from "../integrations/limits.ts";
import { LruMap } from "../../../kernel/text/lru-map.ts";
import type { Needs } from "../../clients/context.ts";
import { peekLake, type OpenedLake } from "../access/open-lake.ts";
import { keepOwnLake, knownOwnLake } from "../integrations/get.ts";
import type { Integration } from "../integrations/integration.ts";
import type { NewQuery } from "./query.ts";

type SupposedDeps = Needs<"scope" | "db" | "openLake">;
type LakeQuery = Pick<NewQuery, "sql" | "integration_id">;

/**
 * `opened`: undefined where there is no guess, or it can't be opened at once; never rejects. `isCertain`: a lake that
 * could be opened is the one that was asked for.
 */
export type SupposedLake = { isCertain: boolean; opened: Promise<OpenedLake | undefined> };

/** Lakes' ids, by team and what its statements name. */
const seen = new LruMap<string>(INTEGRATION_LIMITS.lakesSupposedMax);

const namesNothing = ({ sql, integration_id: id }: LakeQuery): boolean => sql !== undefined && id === undefined;

const nameOf = ({ scope }: Needs<"scope">, { sql, integration_id: id }: LakeQuery): string =>
  `${scope.teamId} ${sql === undefined ? "cube" : "sql"} ${id?.toLowerCase() ?? ""}`;

export function supposeLake(ctx: SupposedDeps, asked: LakeQuery): SupposedLake {
  const own = namesNothing(asked) ? knownOwnLake(ctx) : undefined;
  return { isCertain: own !== undefined, opened: open(ctx, own ?? seen.get(nameOf(ctx, asked))) };
}

async function open(ctx: SupposedDeps, lakeId: string | undefined): Promise<OpenedLake | undefined> {
  // The way without a guess fails alike, in its own words.
  return lakeId === undefined ? undefined : peekLake(ctx, lakeId).catch(() => undefined);
}

/** To be called with what the database said the team's statement is for. */
export function rememberLake({ scope }: Needs<"scope">, asked: LakeQuery, { id, type }: Integration): void {
  if (type !== "lake") return;
  seen.set(nameOf({ scope }, asked), id);
  if (namesNothing(asked)) keepOwnLake({ scope }, id);
}
