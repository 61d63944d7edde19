// Counts publications' calls. They are summed up in the isolate, and written at most once a second and after the
// answer: no call waits for it, and an isolate that dies loses what it had not written.

import { addDuration, emptySummary } from "../../../core/events/duration-summary.ts";
import { PUBLICATION_LIMITS } from "../limits.ts";
import type { Db } from "../../../platform/db/client.ts";
import type { PublicationRow } from "../publication.ts";
import { addCallSums, type CallSum } from "./store.ts";

export const HOUR_MS = 3_600_000;

export type CountedCall = {
  publication: Pick<PublicationRow, "id" | "teamId">;
  status: number;
  /** What the answer says of the result cache. */
  cacheStatus: string | null;
  durationMs: number;
  now: Date;
};

let sums = new Map<string, CallSum>();
let isWritingUntilMs = 0;

/** `waitUntil` keeps the writing alive after the answer. */
export function countCall(db: Db, call: CountedCall, waitUntil: (work: Promise<unknown>) => void): void {
  const sum = sumOf(call);
  if (!sum) return;
  addDuration(sum, call.durationMs);
  if (call.status >= 400) sum.errors++;
  if (call.status === 304 || call.cacheStatus?.includes("; hit")) sum.cacheHits++;
  const nowMs = Date.now();
  if (nowMs < isWritingUntilMs) return;
  isWritingUntilMs = nowMs + PUBLICATION_LIMITS.countsWritingMs;
  waitUntil(writeCounts(db));
}

function sumOf({ publication: { id, teamId }, now }: CountedCall): CallSum | undefined {
  const hour = Math.floor(now.getTime() / HOUR_MS);
  const name = `${id} ${hour}`;
  const known = sums.get(name);
  if (known || sums.size >= PUBLICATION_LIMITS.countsHeldMax) return known;
  const sum: CallSum = { teamId, publicationId: id, hour, errors: 0, cacheHits: 0, ...emptySummary() };
  sums.set(name, sum);
  return sum;
}

/** Never rejects. */
async function writeCounts(db: Db): Promise<void> {
  await scheduler.wait(PUBLICATION_LIMITS.countsWrittenEveryMs);
  const counted = [...sums.values()];
  sums = new Map();
  isWritingUntilMs = 0;
  try {
    await addCallSums(db, counted);
  } catch (error) {
    console.error(
      JSON.stringify({ event: "publication_counts_lost", publications: counted.length, cause: String(error) }),
    );
  }
}
