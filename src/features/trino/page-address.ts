// The address of a page: a signed text that says which rows come next, until when. It opens nothing without a key of
// the user who began the statement.

import type { Needs } from "../../clients/context.ts";
import { ASYNC_QUERY_LIMITS } from "../query/async/limits.ts";
import { Problem } from "../../core/problem.ts";

/** `offset` is where in the stored result the page begins, in bytes. */
export type Page = { queryId: string; offset: number };

export async function pageAddress(
  { scope, tokens }: Needs<"scope" | "tokens">,
  { origin, queryId, offset }: Page & { origin: string },
): Promise<string> {
  const expiresAt = scope.now.getTime() + ASYNC_QUERY_LIMITS.trinoPageMs;
  const token = await tokens.mint({
    use: "page",
    teamId: scope.teamId,
    userId: scope.userId,
    queryId,
    offset,
    expiresAt,
  });
  return `${origin}/v1/statement/executing/${token}`;
}

/** The address is the caller's own, and is not repeated. */
export const noPage = (): Problem => new Problem("resource_not_found", "There is no such page, or not any more.");

/** Throws `resource_not_found` for what is no address of a page of this user's, or is not any more. */
export async function readPageAddress({ scope, tokens }: Needs<"scope" | "tokens">, page: string): Promise<Page> {
  const read = await tokens.find("page", page, scope.now);
  if (read?.teamId !== scope.teamId || read.userId !== scope.userId) throw noPage();
  return read;
}
