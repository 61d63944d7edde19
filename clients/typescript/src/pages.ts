// Lists come in pages; iterating over one asks for the next page when it is needed.

/** Version 4 has a page's items within `data`, the others have them as `data`. */
type PageBody = { data: { items: readonly unknown[]; total: number } } | { data: readonly unknown[]; total?: number };
type ItemOf<Body> = Body extends { data: { items: readonly (infer Item)[] } }
  ? Item
  : Body extends { data: readonly (infer Item)[] }
    ? Item
    : never;

export type PageBounds = { limit: number; offset: number };

const PAGE_ITEMS = 100;

/**
 * The items of all pages, in the list's order. `fetchPage` is handed the bounds of each page:
 *
 *     for await (const doc of itemsOf((query) => fjord.api.GET("/v4/docs", { params: { query } }))) …
 */
export async function* itemsOf<Body extends PageBody>(
  fetchPage: (bounds: PageBounds) => Promise<{ data?: Body }>,
): AsyncGenerator<ItemOf<Body>, void, undefined> {
  for (let offset = 0; ; ) {
    const { data: body } = await fetchPage({ limit: PAGE_ITEMS, offset });
    const [items, total] = pageOf(body as Body);
    yield* items as readonly ItemOf<Body>[];
    offset += items.length;
    if (items.length === 0 || (total === undefined ? items.length < PAGE_ITEMS : offset >= total)) return;
  }
}

function pageOf(body: PageBody): [items: readonly unknown[], total: number | undefined] {
  if ("items" in body.data) return [body.data.items, body.data.total];
  return [body.data, "total" in body ? body.total : undefined];
}
