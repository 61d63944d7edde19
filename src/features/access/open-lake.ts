// A lake is opened for a caller, by the id of one that may be gone by now.

import type { Needs } from "../../clients/context.ts";
import { peekReader, type LakeReader } from "../../lake/lake.ts";
import { resolveAccess, type Access } from "./resolve.ts";

/** A lake for one reader, and what the reader may see there. */
export type OpenedLake = { lakeId: string; access: Access; reader: LakeReader };

/** Undefined where the lake is gone, or a second call would be needed. */
export async function peekLake(
  ctx: Needs<"scope" | "db" | "openLake">,
  lakeId: string,
): Promise<OpenedLake | undefined> {
  const access = await resolveAccess(ctx, { id: lakeId });
  const reader = await peekReader(ctx.openLake(lakeId), access);
  return reader && { lakeId, access, reader };
}
