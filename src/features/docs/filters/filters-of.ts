// The filters of a definition that is stored, which may have members that nothing here knows. Pure.

import { z } from "zod";
import { Filter, Target } from "../../../../kernel/docs/dashboard.ts";
import { withNotes } from "../../../../kernel/docs/undrawn.ts";
import { isObject } from "../../../../kernel/text/is-object.ts";
import type { Definition } from "../definition/definition.ts";

const Known = z.object({ ...Filter.shape, target: z.object(Target.shape) });

/** Those that are understood, and the datasets that tiles draw. */
export function filtersOf(definition: Definition): { filters: Filter[]; drawn: string[] } {
  const { filters, layout, tiles } = withNotes(definition).doc as Record<string, unknown>;
  const all = listOf(isObject(layout) ? (layout["tiles"] ?? tiles) : tiles);
  return {
    filters: listOf(filters).flatMap((filter) => Known.safeParse(filter).data ?? []),
    drawn: all.flatMap((tile) => (isObject(tile) && typeof tile["source"] === "string" ? [tile["source"]] : [])),
  };
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
