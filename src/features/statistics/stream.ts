// The answer, as it is read: a few series at a time, and no more than its reader has taken.

import { PERCENTILE_ERROR } from "../../core/events/duration-summary.ts";
import { EVENT_LIMITS } from "../../core/events/limits.ts";
import type { Db } from "../../platform/db/client.ts";
import { SeriesWriter } from "./series-text.ts";
import { selectRollups, type RollupRow, type SeriesName } from "./store.ts";
import { instantOf, type Window } from "./window.ts";

/** `names` comes in groups of which each is one read; it returns whether it left some out. */
export type SeriesGroups = AsyncGenerator<SeriesName[], boolean>;

/** The number of series whose rollups together are at most as many as one read may bring. */
export const seriesPerRead = ({ startMinute, endMinute, spanMinutes }: Window): number =>
  Math.max(1, Math.floor(EVENT_LIMITS.statisticsRowsPerReadMax / ((endMinute - startMinute) / spanMinutes)));

/**
 * The document in pieces, with the envelope of every v4 answer; `metaOf` is asked when it ends. The first piece is
 * there when this resolves: what fails by then fails the request, what fails later breaks the connection off.
 */
export async function streamStatistics(
  db: Db,
  window: Window,
  groups: SeriesGroups,
  metaOf: () => object,
): Promise<ReadableStream<Uint8Array>> {
  const pieces = piecesOf(db, window, groups, metaOf);
  const encoder = new TextEncoder();
  let next = await pieces.next();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (next.done) return controller.close();
      controller.enqueue(encoder.encode(next.value));
      next = await pieces.next();
    },
    cancel: async () => void (await pieces.return(undefined)),
  });
}

async function* piecesOf(db: Db, window: Window, groups: SeriesGroups, metaOf: () => object): AsyncGenerator<string> {
  const writer = new SeriesWriter(window);
  let before = `{"success":true,"data":${JSON.stringify(headOf(window)).slice(0, -1)},"series":[`;
  let next = readNext(db, window, groups);
  for (;;) {
    const { names, rows, isTruncated } = await next;
    if (!names) {
      const end = `],"truncated":${isTruncated}},"meta":${JSON.stringify(metaOf())}}`;
      return yield `${before === "," ? "" : before}${end}`;
    }
    // The next read is under way while this one is written; what fails in it is thrown where it is awaited.
    next = readNext(db, window, groups);
    next.catch(() => undefined);
    for (const [index, name] of names.entries()) {
      yield before + writer.write(name, rows.get(index) ?? []);
      before = ",";
    }
  }
}

type Read =
  | { names: SeriesName[]; rows: Map<number, RollupRow[]>; isTruncated?: never }
  | { names?: never; rows?: never; isTruncated: boolean };

async function readNext(db: Db, window: Window, groups: SeriesGroups): Promise<Read> {
  const group = await groups.next();
  if (group.done) return { isTruncated: group.value };
  const rows = await selectRollups(db, group.value, window);
  return { names: group.value, rows: Map.groupBy(rows, ([series]) => series) };
}

const headOf = ({ startMinute, endMinute, bucketMinutes, buckets }: Window) => ({
  starts_at: instantOf(startMinute),
  ends_at: instantOf(endMinute),
  bucket_minutes: bucketMinutes,
  buckets,
  percentile_error: PERCENTILE_ERROR,
});
