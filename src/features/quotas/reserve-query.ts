// A month's statements, counted by the team's meter. It is asked for a block of them as long as the plan's bound is
// far, and for each one near it; a plan without a bound costs no call.

import type { Scope } from "../../core/scope.ts";
import { boundsOf, monthEndsAt, monthOf } from "../../core/teams/plans.ts";
import type { Needs } from "../../clients/context.ts";
import { refuseBeyond } from "./announce.ts";

/**
 * The rest of the month's statements that this isolate was granted for a team; `used` is the count of all isolates, as
 * the meter said last.
 */
type Block = { month: string; left: number; used: number | undefined; isAsking: boolean };

const BLOCK_MAX = 100;
const TEAMS_MAX = 10_000;
const blocks = new Map<string, Block>();

type Deps = Needs<"meter" | "db"> & { scope: Pick<Scope, "teamId" | "plan" | "now"> };

/** Throws `monthly_quota_exceeded` where the month's statements are used up. */
export async function reserveQuery({ meter, db, scope }: Deps): Promise<void> {
  const { plan, teamId, now } = scope;
  const limit = boundsOf(plan).monthly.queries;
  if (limit === null) return;
  const month = monthOf(now);
  const block = blockOf(teamId, month);
  if (block.left > 0) {
    block.left--;
    return;
  }
  // Others that ask meanwhile ask for one: blocks that nobody uses would be missing at the bound.
  const amount = block.isAsking ? 1 : amountOf(limit, block.used);
  block.isAsking ||= amount > 1;
  try {
    const { granted, used } = await meter.openObject(teamId).reserve({ what: "queries", month, amount, limit });
    block.used = used;
    const quota = { what: "queries", limit, used, resetsAt: monthEndsAt(now) };
    if (granted === 0) throw await refuseBeyond(db, quota, { teamId, plan, now });
    block.left += granted - 1;
  } finally {
    if (amount > 1) block.isAsking = false;
  }
}

/** Gives one back that was granted for a statement which was not sent: the next of this isolate takes it. */
export function returnQuery({ scope: { teamId, plan, now } }: Pick<Deps, "scope">): void {
  if (boundsOf(plan).monthly.queries !== null) blockOf(teamId, monthOf(now)).left++;
}

/** A thousandth of what is left; single ones of the last hundred thousand, and until something is known. */
const amountOf = (limit: number, used: number | undefined): number =>
  used === undefined ? 1 : Math.max(1, Math.min(BLOCK_MAX, Math.floor((limit - used) / 1_000) - BLOCK_MAX));

function blockOf(teamId: string, month: string): Block {
  const known = blocks.get(teamId);
  if (known?.month === month) return known;
  const block: Block = { month, left: 0, used: undefined, isAsking: false };
  blocks.delete(teamId);
  blocks.set(teamId, block);
  const [oldest] = blocks.keys();
  if (blocks.size > TEAMS_MAX) blocks.delete(oldest!);
  return block;
}
