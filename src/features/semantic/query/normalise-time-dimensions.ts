// The time dimensions of a query: those that are grouped by, those that only bound it, and the one that is compared.

import { readDateRange, type DateRange } from "./dates/date-range.ts";
import { TIME_UNITS, type LocalNow } from "./dates/local-time.ts";
import type { Path, QueryFlaws } from "./flaws.ts";
import { hiddenMessage, type MetaMembers } from "./meta-members.ts";
import type { SentQuery, SentTimeDimension } from "./read-query.ts";

export type KnownTimeDimension = { dimension: string; granularity?: string; dateRange?: DateRange };

type NormalisedTimes = { times: KnownTimeDimension[]; compared: { index: number; ranges: DateRange[] } | undefined };

/** With those that are written as a dimension with a granularity, `cube.time.month`, after the others. */
export function normaliseTimeDimensions(
  sent: Pick<SentQuery, "timeDimensions" | "dimensions">,
  members: MetaMembers,
  now: LocalNow,
  flaws: QueryFlaws,
): NormalisedTimes {
  const found: NormalisedTimes = { times: [], compared: undefined };
  for (const [index, time] of sent.timeDimensions.entries()) {
    const path = ["timeDimensions", index];
    requireTime(time, { at: [...path, "dimension"], granularityAt: [...path, "granularity"] }, members, flaws);
    const { dateRange: range, compareDateRange: ranges } = time;
    const dateRange =
      range === undefined ? undefined : flaws.readDates([...path, "dateRange"], () => readDateRange(range, now));
    if (ranges !== undefined) {
      const at = [...path, "compareDateRange"];
      if (found.compared) flaws.add(at, "compareDateRange can only exist for one timeDimension");
      const read = ranges.map((one, item) => flaws.readDates([...at, item], () => readDateRange(one, now)));
      found.compared = { index: found.times.length, ranges: read.filter((one) => one !== undefined) };
    }
    const { dimension, granularity } = time;
    found.times.push({
      dimension,
      // Grouped by once; a second range bounds it further.
      ...(granularity === undefined || isGrouped(found.times, time) ? {} : { granularity }),
      ...(dateRange ? { dateRange } : {}),
    });
  }
  for (const [index, name] of sent.dimensions.entries()) {
    const [cube, member, granularity] = name.split(".");
    if (granularity === undefined) continue;
    const time = { dimension: `${cube}.${member}`, granularity };
    requireTime(time, { at: ["dimensions", index], granularityAt: ["dimensions", index] }, members, flaws);
    if (!isGrouped(found.times, time)) found.times.push(time);
  }
  return found;
}

const isGrouped = (times: KnownTimeDimension[], { dimension, granularity }: SentTimeDimension): boolean =>
  times.some((time) => time.dimension === dimension && time.granularity === granularity);

function requireTime(
  { dimension, granularity }: Pick<SentTimeDimension, "dimension" | "granularity">,
  { at: path, granularityAt }: { at: Path; granularityAt: Path },
  members: MetaMembers,
  flaws: QueryFlaws,
): void {
  const member = members.get("dimensions", dimension, path, flaws);
  if (!member) return;
  if (member.type !== "time")
    flaws.add(path, `'${dimension}' is a dimension of type ${member.type}: time dimensions are of type time`);
  if (granularity === undefined) return;
  if (member.isVisible === false) flaws.add(path, hiddenMessage(dimension));
  const known = [...TIME_UNITS, ...(member.granularities ?? []).map(({ name }) => name)];
  if (!known.includes(granularity))
    flaws.add(
      granularityAt,
      `Granularity "${granularity}" does not exist in dimension ${dimension}, which has ${known.join(", ")}`,
    );
}
