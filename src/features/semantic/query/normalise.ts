// A semantic query as it was sent becomes one, or several that are compared, of which nothing is left to guess: its
// members exist, its dates are resolved, its defaults filled in. Cube's rules and Cube's words, but for what Cube
// answers otherwise than it was asked: that is refused.

import type { CompiledModel } from "../../../../kernel/semantic/model.ts";
import { filterMembers, type ResponseFormat, type SemanticQuery } from "../../../../kernel/semantic/query.ts";
import { SEMANTIC_LIMITS } from "../limits.ts";
import { openZoneClock, type ZoneClock } from "../../../../kernel/time/zone-clock.ts";
import { annotate, type Annotation } from "./annotation.ts";
import type { DateRange } from "./dates/date-range.ts";
import { LocalNow } from "./dates/local-time.ts";
import { QueryFlaws } from "./flaws.ts";
import { normaliseFilters } from "./normalise-filters.ts";
import { normaliseTimeDimensions, type KnownTimeDimension } from "./normalise-time-dimensions.ts";
import { hiddenMessage, MetaMembers } from "./meta-members.ts";
import { normaliseOrder } from "./order.ts";
import { readQuery, type SentQuery } from "./read-query.ts";

export type NormalisedQuery = {
  queries: {
    query: SemanticQuery;
    /** The query as its answer tells it. */
    shown: Record<string, unknown>;
    annotation: Annotation;
    /** How this query's rows are told from those that they are compared with. */
    compareDateRange?: string;
  }[];
  total: boolean;
  responseFormat: ResponseFormat;
  /** Every member that the queries name, each once. */
  members: string[];
  /** Members whose ways to each other lead over these cubes. */
  joinHints: string[][];
};

/** `meta` is the model's, of what the caller may see. Throws `validation_failed` with all flaws, in Cube's words. */
export function normaliseQuery(raw: Record<string, unknown>, meta: CompiledModel["meta"], now: Date): NormalisedQuery {
  const members = new MetaMembers(meta);
  const flaws = new QueryFlaws((name) => members.likeMember(name));
  const sent = readQuery(raw, flaws);
  flaws.throwIfAny();
  const { base, times, compared } = checkQuery(sent, members, now, flaws);
  flaws.throwIfAny();

  const ranges = compared ? compared.ranges : [undefined];
  const queries = ranges.map((range) => {
    const timeDimensions = times.map((time, index) =>
      range && index === compared?.index ? { ...time, dateRange: range } : time,
    );
    const query: SemanticQuery = { ...base, timeDimensions };
    return {
      query,
      shown: shownOf(query, sent, compared ? "compareDateRangeQuery" : "regularQuery"),
      annotation: annotate(query, members),
      ...(range ? { compareDateRange: range.join(" - ") } : {}),
    };
  });
  const { total, responseFormat, joinHints } = sent;
  return { queries, total, responseFormat, members: namesIn(base, times), joinHints };
}

type Checked = {
  base: Omit<SemanticQuery, "timeDimensions">;
  times: KnownTimeDimension[];
  /** Which of the time dimensions is compared, and its ranges. */
  compared: { index: number; ranges: DateRange[] } | undefined;
};

function checkQuery(sent: SentQuery, members: MetaMembers, nowAt: Date, flaws: QueryFlaws): Checked {
  const { timezone, clock } = openZone(sent.timezone ?? "UTC");
  if (!clock) flaws.addForm(["timezone"], `must be a valid IANA time zone, got "${timezone.slice(0, 100)}"`);
  if (sent.limit !== undefined && sent.limit > SEMANTIC_LIMITS.rowsMax)
    flaws.add(["limit"], "The query limit has been exceeded.");
  const now = new LocalNow(clock ?? openZoneClock("UTC")!, nowAt);

  const { times, compared } = normaliseTimeDimensions(sent, members, now, flaws);
  const measures = [...new Set(sent.measures)];
  const dimensions = [...new Set(sent.dimensions)].filter(isPlain);
  const segments = [...new Set(sent.segments)];
  requireShown("measures", sent, members, flaws);
  requireShown("dimensions", sent, members, flaws);
  for (const [index, name] of sent.segments.entries()) members.get("segments", name, ["segments", index], flaws);
  for (const [index, hint] of sent.joinHints.entries())
    for (const cube of hint)
      if (!members.has(cube)) flaws.add(["joinHints", index], members.whyMissingCube(cube, hint.join(".")));
  if (measures.length + dimensions.length === 0 && times.every(({ granularity }) => granularity === undefined))
    flaws.add([], EMPTY);

  const filters = normaliseFilters(sent, members, now, flaws);
  const selected = { measures, dimensions, timeDimensions: times };
  const order = normaliseOrder(sent.order, selected, members, flaws);
  const base = {
    measures,
    dimensions,
    segments,
    filters,
    order,
    limit: sent.limit ?? SEMANTIC_LIMITS.rowsDefault,
    offset: sent.offset ?? 0,
    timezone,
    ungrouped: sent.ungrouped,
    ...(sent.joinHints.length > 0 ? { joinHints: sent.joinHints } : {}),
  };
  return { base, times, compared };
}

const EMPTY =
  "Query should contain either measures, dimensions or timeDimensions with granularities in order to be valid";

/** Not a time dimension with its granularity. */
const isPlain = (name: string): boolean => name.split(".").length === 2;

/** Refuses selected members that are not public; such members can be filtered by, and no more. */
function requireShown(kind: "measures" | "dimensions", sent: SentQuery, members: MetaMembers, flaws: QueryFlaws): void {
  for (const [index, name] of sent[kind].entries()) {
    if (!isPlain(name)) continue;
    const member = members.get(kind, name, [kind, index], flaws);
    if (member?.isVisible === false) flaws.add([kind, index], hiddenMessage(name));
  }
}

/** Cube takes a zone in any case; the answer has its own spelling, unless the zone goes by another name. */
function openZone(given: string): { timezone: string; clock: ZoneClock | null } {
  const clock = openZoneClock(given.toLowerCase() === "utc" ? "UTC" : given);
  const isSpelledOtherwise = clock?.zone.toLowerCase() === given.toLowerCase();
  return { timezone: isSpelledOtherwise ? clock.zone : given, clock };
}

/** Every member that is named, in whatever place. */
function namesIn({ measures, dimensions, segments, filters, order }: Checked["base"], times: KnownTimeDimension[]) {
  const ordered = order.map(({ id }) => id.split(".").slice(0, 2).join("."));
  const ofTimes = times.map(({ dimension }) => dimension);
  return [
    ...new Set([...measures, ...dimensions, ...segments, ...ofTimes, ...filters.flatMap(filterMembers), ...ordered]),
  ];
}

/** The query as Cube shows it: with an order only where one was asked for. */
function shownOf(query: SemanticQuery, sent: SentQuery, queryType: string): Record<string, unknown> {
  const { measures, dimensions, timeDimensions, segments, filters, order, limit, timezone, joinHints } = query;
  return {
    measures,
    dimensions,
    timeDimensions,
    segments,
    filters,
    ...(sent.order ? { order } : {}),
    limit,
    ...(sent.offset === undefined ? {} : { offset: sent.offset }),
    timezone,
    ...(sent.total ? { total: true } : {}),
    ...(sent.ungrouped ? { ungrouped: true } : {}),
    ...(sent.responseFormat === "default" ? {} : { responseFormat: sent.responseFormat }),
    ...(joinHints ? { joinHints } : {}),
    queryType,
  };
}
