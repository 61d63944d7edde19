// A log that is read page by page, and followed while what logs it runs.

import { useQuery, useQueryClient, type QueryKey } from "@tanstack/react-query";
import { ErrorNote } from "../feedback/states.tsx";
import { joinLines, nextOffset, type LogLine } from "./log-lines.ts";
import { LogView } from "./log-view.tsx";
import { POLL_MS } from "./run-state.tsx";

type PagedLogProps = {
  label: string;
  queryKey: QueryKey;
  /** `total` counts all lines of the log. */
  fetchPage: (offset: number) => Promise<{ items: LogLine[]; total: number }>;
  isLive: boolean;
};

/** Asks from the line after the last that it has, so that none is lost and none comes twice. */
export function PagedLog({ label, queryKey, fetchPage, isLive }: PagedLogProps) {
  const cache = useQueryClient();
  const log = useQuery({
    queryKey,
    queryFn: async () => {
      let known = cache.getQueryData<LogLine[]>(queryKey) ?? [];
      for (;;) {
        const { items, total } = await fetchPage(nextOffset(known));
        known = joinLines(known, items);
        if (items.length === 0 || nextOffset(known) >= total) return known;
      }
    },
    refetchInterval: isLive ? POLL_MS : false,
    structuralSharing: false,
  });
  if (log.error && !log.data) return <ErrorNote error={log.error} onRetry={() => void log.refetch()} />;
  return <LogView label={label} lines={log.data ?? []} isLive={isLive} />;
}
