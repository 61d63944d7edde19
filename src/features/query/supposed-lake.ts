// The lake that a statement is probably for, opened while the database is asked whether it is.
//
// What is kept is a guess, an id by what was asked for last time: it saves a round trip where it is right and decides
// nothing. Whether the lake is still the team's, and what its reader may see, is read for each statement as without it.

import { LIMITS } from "../../core/limits.ts";
import { LruMap } from "../../core/lru-map.ts";
import type { Needs } from "../../platform/context.ts";
import { peekReader, type LakeReader } from "../../platform/lake/lake.ts";
import { resolveAccess, type Access } from "../data-access/resolve.ts";
import type { Integration } from "../integrations/integration.ts";
import type { NewQuery } from "./query.ts";

type SupposedDeps = Needs<"scope" | "db" | "openLake">;
type Asked = Pick<NewQuery, "sql" | "integration_id">;

export type OpenedLake = { lakeId: string; access: Access; reader: LakeReader };

/** Lakes' ids, by team and what its statements name. */
const seen = new LruMap<string>(LIMITS.lakesSupposedMax);

const nameOf = ({ scope }: Needs<"scope">, { sql, integration_id: id }: Asked): string =>
  `${scope.teamId} ${sql === undefined ? "cube" : "sql"} ${id?.toLowerCase() ?? ""}`;

/** Undefined where there is no guess, or it can't be opened at once. Never rejects. */
export async function openSupposedLake(ctx: SupposedDeps, asked: Asked): Promise<OpenedLake | undefined> {
  const lakeId = seen.get(nameOf(ctx, asked));
  if (lakeId === undefined) return undefined;
  try {
    const access = await resolveAccess(ctx, { id: lakeId });
    const reader = await peekReader(ctx.openLake(lakeId), access);
    return reader && { lakeId, access, reader };
  } catch {
    // The way without a guess fails alike, in its own words.
    return undefined;
  }
}

/** To be called with what the team's statement was found to be for. */
export function rememberLake(ctx: Needs<"scope">, asked: Asked, { id, type }: Integration): void {
  if (type === "lake") seen.set(nameOf(ctx, asked), id);
}
