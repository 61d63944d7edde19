// The things that the palette finds besides screens. Each screen that has things of its own adds a source here.

import { useQueries } from "@tanstack/react-query";
import type { Me } from "../../api/me.ts";
import { useMe } from "../../api/me.ts";
import { useDebouncedValue } from "../../ui/controls.ts";
import { DATA_SOURCES } from "./data-things.ts";
import type { Target } from "./targets.ts";

/** `find` is asked for what has the text in its name; an empty text means: the likeliest. */
export type ThingSource = { name: string; isFor(me: Me): boolean; find(text: string): Promise<Target[]> };

const SOURCES: readonly ThingSource[] = [...DATA_SOURCES];
const QUIET_MS = 150;
const KEPT_MS = 30_000;

export function useThings(text: string): { things: Target[]; isLooking: boolean } {
  const me = useMe();
  const [asked] = useDebouncedValue(text.trim(), QUIET_MS);
  const answers = useQueries({
    queries: SOURCES.filter((source) => source.isFor(me)).map((source) => ({
      queryKey: ["palette", source.name, asked],
      queryFn: () => source.find(asked),
      staleTime: KEPT_MS,
    })),
  });
  return { things: answers.flatMap(({ data }) => data ?? []), isLooking: answers.some(({ isPending }) => isPending) };
}
