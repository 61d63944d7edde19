// The things that the palette finds besides screens. Each screen that has things of its own adds a source here.

import { useQueries } from "@tanstack/react-query";
import { useMe } from "../../api/me.ts";
import { useDebouncedValue } from "../../ui/controls.ts";
import { DATA_SOURCES } from "./data-things.ts";
import { SAVED_QUERIES, TERMS } from "./query-things.ts";
import type { Target, ThingSource } from "./targets.ts";
import { WORK_SOURCES } from "./work-things.ts";

const SOURCES: readonly ThingSource[] = [SAVED_QUERIES, TERMS, ...WORK_SOURCES, ...DATA_SOURCES];
const QUIET_MS = 150;
const KEPT_MS = 30_000;

export function useThings(text: string): { things: Target[]; isLooking: boolean } {
  const me = useMe();
  const [asked] = useDebouncedValue(text.trim(), QUIET_MS);
  const answers = useQueries({
    queries: SOURCES.filter(({ rights }) => rights.every((right) => me.rights.includes(right))).map((source) => ({
      queryKey: ["palette", source.name, asked],
      queryFn: ({ client }) => source.find(asked, client),
      staleTime: KEPT_MS,
    })),
  });
  return { things: answers.flatMap(({ data }) => data ?? []), isLooking: answers.some(({ isPending }) => isPending) };
}
