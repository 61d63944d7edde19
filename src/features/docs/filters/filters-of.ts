// The filters of a definition that is stored, which may have members that nothing here knows. Pure.

import { z } from "zod";
import { Filter, Target } from "../../../../kernel/docs/dashboard.ts";
import { withNotes } from "../../../../kernel/docs/undrawn.ts";
import { isObject } from "../../../../kernel/text/is-object.ts";
import { listOf } from "../../../../kernel/text/list-of.ts";
import { Problem, type Flaw } from "../../../core/problem.ts";
import type { Definition } from "../definition/definition.ts";
import { datasetsDrawnBy } from "../definition/drawn-dashboard.ts";

/** A default is read where it is asked for. */
const Known = z.object({
  ...Filter.shape,
  target: z.object(Target.shape),
  default: z.custom<Filter["default"]>(() => true).optional(),
});

/** `unread`: what is not understood of the filters; `drawn`: the datasets that tiles draw. */
export type DocFilters = { filters: Filter[]; unread: Flaw[]; drawn: string[] };

export function filtersOf(definition: Definition): DocFilters {
  const { filters, layout, tiles } = withNotes(definition).doc as Record<string, unknown>;
  const all = listOf(isObject(layout) ? (layout["tiles"] ?? tiles) : tiles);
  const read = listOf(filters).map((filter) => Known.safeParse(filter).data);
  return {
    filters: read.filter((filter) => filter !== undefined),
    unread: read.flatMap((filter, i) => (filter ? [] : [{ pointer: `/filters/${i}`, message: UNREAD }])),
    drawn: datasetsDrawnBy(all),
  };
}

const UNREAD = "This filter of the doc is not understood by now: save the doc anew.";

/** Throws `validation_failed` for a filter that is not understood: it may have been to narrow what is asked. */
export function requireRead({ unread }: Pick<DocFilters, "unread">): void {
  if (unread.length > 0) throw new Problem("validation_failed", "The doc has filters that are not understood.", unread);
}
