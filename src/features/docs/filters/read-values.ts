// The values of a doc's filters: those that were sent, and the defaults of the others. Pure.

import { z } from "@hono/zod-openapi";
import { byParameterName } from "../../../http/request/parameters.ts";
import { DOC_BOUNDS } from "../../../../kernel/docs/bounds.ts";
import { type Filter, Id } from "../../../../kernel/docs/dashboard.ts";
import { pointerStep } from "../../../../kernel/text/json-pointer.ts";
import { Problem, type Flaw } from "../../../core/problem.ts";
import { bindsNothing, readFilterValue, type FilterValue } from "./filter-value.ts";

export const SentFilters = byParameterName(z.unknown(), Id)
  .default({})
  .openapi({
    type: "object",
    description:
      "By the id of a filter: a value of JSON, a list of them, or of days `{from, to}` or words such as `last 30 days`. " +
      "Null lets everything through; a filter that is not sent has its default.",
  });

/** Without those that let everything through. */
export type FilterValues = ReadonlyMap<string, FilterValue>;

/** `fixed`: values that the caller can't send; `isOpen`: whether a value may be sent at all. */
export type FilterInput = {
  sent: Readonly<Record<string, unknown>>;
  fixed?: Readonly<Record<string, unknown>>;
  isOpen?: (filter: Filter) => boolean;
  /** The filters whose defaults are read: those that what is asked takes. All where it is not said. */
  taken?: readonly Filter[];
  /** Where they were sent. */
  pointer: string;
};

/** Throws `validation_failed` with each that is unknown, fixed, of another form, or none of the filter's choices. */
export function readFilterValues(
  filters: readonly Filter[],
  { sent, fixed = {}, isOpen = () => true, taken = filters, pointer }: FilterInput,
  now: Date,
): FilterValues {
  const flaws: Flaw[] = [];
  const add = (id: string, message: string): void => void flaws.push({ pointer: pointer + pointerStep(id), message });
  const values = new Map<string, FilterValue>();
  for (const id of Object.keys(sent)) if (!filters.some((filter) => filter.id === id)) add(id, unknown(id));
  for (const filter of filters) {
    const { id } = filter;
    const isFixed = Object.hasOwn(fixed, id);
    const isSent = Object.hasOwn(sent, id);
    if (isSent && (isFixed || !isOpen(filter))) {
      add(id, `The filter ${id} is set already, and can't be sent.`);
      continue;
    }
    const raw = isFixed ? fixed[id] : isSent ? sent[id] : taken.includes(filter) ? filter.default : undefined;
    if (raw === undefined) continue;
    const read = readFilterValue(filter, raw, now);
    if ("message" in read) add(id, `The filter ${id}: ${read.message}`);
    else if (isFixed && (!read.value || bindsNothing(filter, read.value)))
      add(id, `The filter ${id} is set to nothing, and would let everything through.`);
    else if (read.value) values.set(id, read.value);
  }
  const count = [...values.values()].reduce((sum, value) => sum + ("values" in value ? value.values.length : 2), 0);
  if (count > DOC_BOUNDS.filtersValuesMax)
    flaws.push({ pointer, message: `Filters take at most ${DOC_BOUNDS.filtersValuesMax} values together.` });
  if (flaws.length > 0) throw new Problem("validation_failed", "One or more filters are not valid.", flaws);
  return values;
}

const unknown = (id: string): string => `There is no filter ${id}.`;
