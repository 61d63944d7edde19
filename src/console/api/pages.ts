// Lists of the API come in pages; a screen shows the first ones and asks for more as it is told to.

import { useInfiniteQuery, type InfiniteData, type QueryKey, type UseInfiniteQueryResult } from "@tanstack/react-query";

export type PageOf<Item> = { items: Item[]; total: number; limit: number; offset: number };

export type Pages<Item> = {
  /** Undefined until the first page is there. */
  items: readonly Item[] | undefined;
  /** Undefined where the API does not count the list. */
  total: number | undefined;
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
  return pagesOf(query);
}

/** `fetchPage` is asked for the page that a cursor leads to, and for the first one by null. */
export function useCursorPages<Item>(
  queryKey: QueryKey,
  fetchPage: (cursor: string | null) => Promise<{ items: Item[]; cursor: string | null }>,
): Pages<Item> {
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) => fetchPage(pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: ({ cursor }) => cursor,
  });
  return pagesOf(query);
}

const pagesOf = <Item>(
  query: UseInfiniteQueryResult<InfiniteData<{ items: Item[]; total?: number }>>,
): Pages<Item> => ({
  items: query.data?.pages.flatMap((page) => page.items),
  total: query.data?.pages.at(-1)?.total,
  error: query.data ? null : query.error,
  showMore: query.hasNextPage ? () => void query.fetchNextPage() : undefined,
  isLoadingMore: query.isFetchingNextPage,
  refetch: () => void query.refetch(),
});
