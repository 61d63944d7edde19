// A page of a list: what is asked for, and what is answered.

export type Page = { limit: number; offset: number };

/** `total` counts all items of the list, also those of other pages. */
export type PageOf<Item> = { items: Item[]; total: number } & Page;
