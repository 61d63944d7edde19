import { z } from "@hono/zod-openapi";
import {
  addSummary,
  emptySummary,
  percentilesOf,
  type DurationSummary,
} from "../../../core/events/duration-summary.ts";
import type { Needs } from "../../../clients/context.ts";
import { requirePublication } from "../find.ts";
import type { PublicationKind } from "../publication.ts";
import { HOUR_MS } from "./count-call.ts";
import { selectCallSums } from "./store.ts";

const FIGURES = {
  calls: z.int(),
  errors: z.int().openapi({ description: "Answers of 400 and above, once the caller was let in." }),
  cache_hits: z.int().openapi({ description: "Answered from the result cache, or by 304." }),
  p50_ms: z
    .number()
    .nullable()
    .openapi({ description: "Half of the calls took at most so long, until the answer began." }),
  p99_ms: z.number().nullable(),
};

const PublicationHour = z.object({ starts_at: z.iso.datetime(), ...FIGURES }).openapi("PublicationHour");

export const PublicationStatistics = z
  .object({
    ...FIGURES,
    hours: z.array(PublicationHour).openapi({ description: "Those that had calls, oldest first." }),
  })
  .openapi("PublicationStatistics");
export type PublicationStatistics = z.infer<typeof PublicationStatistics>;

/** The figures of the last hours, this one with them. They are about a second late. */
export async function getPublicationStatistics(
  ctx: Needs<"scope" | "db">,
  kind: PublicationKind,
  id: string,
  hours: number,
): Promise<PublicationStatistics> {
  const { scope, db } = ctx;
  const publication = await requirePublication(ctx, kind, id);
  const fromHour = Math.floor(scope.now.getTime() / HOUR_MS) - hours + 1;
  const rows = await selectCallSums(db, scope.teamId, publication.id, fromHour);
  const all = { errors: 0, cacheHits: 0, ...emptySummary() };
  const shown = rows.map(({ hour, calls, histogram, ...row }) => {
    const sum = { ...row, count: calls, histogram: JSON.parse(histogram) as DurationSummary["histogram"] };
    addSummary(all, sum);
    all.errors += row.errors;
    all.cacheHits += row.cacheHits;
    return { starts_at: new Date(hour * HOUR_MS).toISOString(), ...figuresOf(sum) };
  });
  return { ...figuresOf(all), hours: shown };
}

function figuresOf(sum: DurationSummary & { errors: number; cacheHits: number }) {
  const [p50 = null, p99 = null] = sum.count === 0 ? [] : percentilesOf(sum, [0.5, 0.99]);
  return { calls: sum.count, errors: sum.errors, cache_hits: sum.cacheHits, p50_ms: p50, p99_ms: p99 };
}
