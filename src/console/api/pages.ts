// Lists of the API come in pages by offset; a screen shows the first ones and asks for more as it is told to.

import { useInfiniteQuery, type QueryKey } from "@tanstack/react-query";

export type PageOf<Item> = { items: Item[]; total: number; limit: number; offset: number };

export type Pages<Item> = {
  /** Undefined until the first page is there. */
  items: readonly Item[] | undefined;
  total: number;
  error: Error | null;
  /** Absent where everything is shown. */
  showMore: (() => void) | undefined;
  isLoadingMore: boolean;
  refetch: () => void;
};

/** `fetchPage` is asked for the page that begins at the offset. */
export function usePages<Item>(
  queryKey: QueryKey,
  fetchPage: (offset: number) => Promise<PageOf<Item>>,
  refetchInterval: number | false = false,
): Pages<Item> {
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) => fetchPage(pageParam),
    initialPageParam: 0,
    getNextPageParam: ({ offset, items, total }) =>
      items.length > 0 && offset + items.length < total ? offset + items.length : undefined,
    refetchInterval,
  });
  return {
    items: query.data?.pages.flatMap((page) => page.items),
    total: query.data?.pages.at(-1)?.total ?? 0,
    error: query.data ? null : query.error,
    showMore: query.hasNextPage ? () => void query.fetchNextPage() : undefined,
    isLoadingMore: query.isFetchingNextPage,
    refetch: () => void query.refetch(),
  };
}
