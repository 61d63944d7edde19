// A repeat of a named request is answered with the outcome of the first.

import type { Needs } from "../../../clients/context.ts";
import { Problem } from "../../../core/problem.ts";
import type { Replayable } from "../../../http/request/idempotency-key.ts";
import { otherBody, underWay, type EarlierRequest, type NamedRequest } from "./request.ts";
import { findRequest } from "./store.ts";

/** Undefined where this request is the first of its name, or has none. Throws 409 where that one had another body. */
export async function findEarlier(
  { db }: Needs<"db">,
  request: NamedRequest | undefined,
): Promise<EarlierRequest | undefined> {
  const earlier = request && (await findRequest(db, request));
  if (earlier && earlier.bodyHash !== request.bodyHash) throw otherBody();
  return earlier;
}

/**
 * A request whose message was not written is a repeat: another of its name came first. Throws as {@link findEarlier}
 * does, and `work_in_progress` where that one has led to nothing meanwhile, or the team is gone.
 */
export async function requireEarlier(ctx: Needs<"db">, request: NamedRequest | undefined): Promise<EarlierRequest> {
  const earlier = await findEarlier(ctx, request);
  if (!earlier) throw underWay();
  return earlier;
}

/**
 * The first request's answer, which `Value` is the type of. Throws `work_in_progress` while that is being made, and
 * `write_outcome_unknown` with `advice` where nobody knows what came of it.
 */
export function replay<Value>(
  { answer, message }: EarlierRequest,
  { now, advice }: { now: Date; advice: string },
): Replayable<Value> {
  if (answer !== null) return { value: JSON.parse(answer) as Value, isReplay: true };
  if (message.endedAt === null && message.dueAt > now.toISOString()) throw underWay();
  throw new Problem("write_outcome_unknown", `${message.error ?? "The first request broke off."} ${advice}`);
}
